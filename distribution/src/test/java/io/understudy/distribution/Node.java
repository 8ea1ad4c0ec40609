package io.understudy.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A container in a process of its own, set up by the README's commands. */
final class Node implements Browser.Server, AutoCloseable {

    /** Options of a node's JVM. It answers few requests: the quick compiler is enough. */
    private static final List<String> OPTIONS =
            List.of("-Xmx256m", "-Djava.net.preferIPv4Stack=true", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Duration STARTED = Duration.ofSeconds(90);
    private static final long STOPPED_SECONDS = 60;

    private final Path base;
    private final int port;
    private final Map<String, String> environment;
    private final List<String> command;
    private Process process;

    private Node(Path base, int port, Map<String, String> environment, List<String> command) {
        this.base = base;
        this.port = port;
        this.environment = environment;
        this.command = command;
    }

    /** A Tomcat of that line in a directory of its own, set up and not started. */
    static Node tomcat(String line, Path base) throws Exception {
        Containers.copy(Containers.tomcat(line), base);
        int port = freePort();
        Path server = base.resolve("conf/server.xml");
        Files.writeString(
                server,
                Files.readString(server)
                        .replace("port=\"8080\"", "port=\"" + port + "\"")
                        .replace("port=\"8005\"", "port=\"-1\""));
        Map<String, String> environment = Map.of(
                "CATALINA_HOME", base.toString(),
                "CATALINA_BASE", base.toString(),
                "JAVA_HOME", System.getProperty("java.home"),
                "CATALINA_OPTS", String.join(" ", OPTIONS));
        Readme.run("tomcat", environment);
        return new Node(
                base,
                port,
                environment,
                List.of("sh", base.resolve("bin/catalina.sh").toString(), "run"));
    }

    /** A Jetty base with these modules, set up and not started. */
    static Node jetty(Path base, String modules) throws Exception {
        Files.createDirectories(base);
        int port = freePort();
        Path start = Containers.jettyHome().resolve("start.jar");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Map<String, String> environment = Map.of(
                "JETTY_HOME", Containers.jettyHome().toString(),
                "JETTY_BASE", base.toString(),
                "PATH", Path.of(java).getParent() + ":" + System.getenv("PATH"));
        run(base, environment, java, "-jar", start.toString(), "--add-modules=" + modules);
        Readme.run("jetty", environment);
        return new Node(
                base,
                port,
                environment,
                Stream.of(List.of(java), OPTIONS, List.of("-jar", start.toString(), "jetty.http.port=" + port))
                        .flatMap(List::stream)
                        .toList());
    }

    private static void run(Path directory, Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(List.of(command) + " ended with " + process.exitValue() + ": " + said);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Where web applications are put. */
    Path webapps() {
        return base.resolve("webapps");
    }

    Path base() {
        return base;
    }

    /** Starts it, and waits until it answers this path with 200. */
    void start(String path) throws IOException {
        launch();
        Await.until(STARTED, this::log, () -> {
            if (!process.isAlive()) {
                throw new AssertionError("it ended with " + process.exitValue() + ": " + log());
            }
            return status(path) == 200;
        });
    }

    /** Starts it, and waits until it has ended by itself. */
    void startInVain() throws Exception {
        launch();
        if (!process.waitFor(STARTED.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("it is running after " + STARTED + ": " + log());
        }
    }

    /** Starts it, and waits for what its log says. */
    void startUntilLogged(Pattern text) throws IOException {
        launch();
        Await.until(
                STARTED,
                () -> text + " is not in " + log(),
                () -> text.matcher(log()).find());
    }

    private void launch() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(base.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(base.resolve("out.log").toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
    }

    private int status(String path) {
        try {
            return Browser.forgetful().send(this, path).statusCode();
        } catch (CompletionException e) {
            return -1;
        }
    }

    long pid() {
        return process.pid();
    }

    /** All that it wrote so far. */
    String log() {
        try {
            return Files.readString(base.resolve("out.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        ended();
    }

    private void ended() {
        try {
            if (!process.waitFor(STOPPED_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("it did not end: " + log());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** How many objects of the classes of this simple name there are, after a collection. */
    int instances(String className) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process histogram = new ProcessBuilder(jcmd, String.valueOf(pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String said = new String(histogram.getInputStream().readAllBytes(), UTF_8);
        Matcher line = Pattern.compile("(?m)^ *\\d+: +(\\d+) +\\d+ +[a-zA-Z0-9_.]*\\." + className + "( |$)")
                .matcher(said);
        return line.find() ? Integer.parseInt(line.group(1)) : 0;
    }

    @Override
    public URI uri(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + port + pathAndQuery);
    }

    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            process.destroy();
            ended();
        }
    }

    @Override
    public String toString() {
        return base.getFileName().toString();
    }
}
