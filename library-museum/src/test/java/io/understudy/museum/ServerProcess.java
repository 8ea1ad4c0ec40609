package io.understudy.museum;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node in a JVM of its own, which ends with the JVM of the test.
 *
 * <p>Threads: one.
 */
final class ServerProcess implements Browser.Server, AutoCloseable {

    static final String CONTEXT = "/museum";

    /** It answers few requests: the quick compiler is enough. */
    private static final List<String> OPTIONS =
            List.of("-Xmx512m", "-Djava.net.preferIPv4Stack=true", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Duration STARTED = Duration.ofMinutes(2);
    private static final long GONE_SECONDS = 60;
    private static final int LAST_CHARACTERS = 4000;

    /**
     * The arguments of a node's program.
     *
     * @param directory for files of the server
     * @param application directory of the web application, if it has one
     * @param port for clients
     * @param settings of Understudy
     */
    record Options(Layout layout, Path directory, Path application, int port, Map<String, String> settings) {

        private static final int FIXED = 4;

        String[] arguments() {
            List<String> arguments = new ArrayList<>(
                    List.of(layout.name(), directory.toString(), application.toString(), String.valueOf(port)));
            settings.forEach((name, value) -> arguments.add(name + "=" + value));
            return arguments.toArray(String[]::new);
        }

        static Options of(String[] arguments) {
            Map<String, String> settings = new LinkedHashMap<>();
            for (int i = FIXED; i < arguments.length; i++) {
                String[] pair = arguments[i].split("=", 2);
                settings.put(pair[0], pair[1]);
            }
            return new Options(
                    Layout.valueOf(arguments[0]),
                    Path.of(arguments[1]),
                    Path.of(arguments[2]),
                    Integer.parseInt(arguments[FIXED - 1]),
                    settings);
        }
    }

    private final String name;
    private final Options options;
    private final Path log;
    private final Process process;

    private ServerProcess(Server server, Options options, List<Path> more) throws IOException {
        this.name = options.settings().get("nodeName");
        this.options = options;
        this.log = options.directory().resolve(name + ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", WebApplication.classPath(server, options.layout(), more), server.program()));
        command.addAll(List.of(options.arguments()));
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Starts the process; {@link #awaitReadyAmong} waits for the node. */
    static ServerProcess start(Server server, Options options) throws IOException {
        return start(server, options, List.of());
    }

    /**
     * The same with more jars for the container.
     *
     * @param more which the tests do not have
     */
    static ServerProcess start(Server server, Options options, List<Path> more) throws IOException {
        Files.createDirectories(options.directory());
        return new ServerProcess(server, options, more);
    }

    /** Waits until it is ready, in a view of so many, and the page of its application answers. */
    void awaitReadyAmong(int members, String page) {
        Await.until(STARTED, this::state, () -> {
            if (!process.isAlive()) {
                throw new AssertionError("it ended with " + process.exitValue() + ": " + state());
            }
            return answers(this::healthUri, "/ready") && figure("members") == members && answers(this, page);
        });
    }

    private static boolean answers(Browser.Server server, String path) {
        try {
            return Browser.forgetful().send(server, path).statusCode() == 200;
        } catch (CompletionException e) {
            return false; // Nothing listens there yet.
        }
    }

    private URI healthUri(String path) {
        return URI.create("http://127.0.0.1:" + options.settings().get("healthPort") + path);
    }

    /** A counter or gauge, by the name that metrics have without the prefix. */
    long figure(String metric) {
        String metrics = Browser.forgetful().send(this::healthUri, "/metrics").body();
        Matcher line = Pattern.compile("(?m)^understudy_" + metric + "(?:_total)?(?:\\{[^}]*})? ([0-9]+)")
                .matcher(metrics);
        if (!line.find()) {
            throw new AssertionError("no " + metric + " in " + metrics);
        }
        return Long.parseLong(line.group(1));
    }

    private String state() {
        String all = log();
        return name + " printed last: " + all.substring(Math.max(0, all.length() - LAST_CHARACTERS));
    }

    /** All that it printed. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(GONE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " was killed, and is there after " + GONE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public URI uri(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + options.port() + CONTEXT + pathAndQuery);
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return name;
    }
}
