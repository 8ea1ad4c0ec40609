package io.understudy.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.OwnPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A container in a process of its own, set up by the README's commands. */
final class Node implements Browser.Server, AutoCloseable {

    /** Options of a node's JVM. It answers few requests: the quick compiler is enough. */
    private static final List<String> OPTIONS =
            List.of("-Xmx256m", "-Djava.net.preferIPv4Stack=true", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Duration STARTED = Await.LIMIT;
    private static final long STOPPED_SECONDS = 60;

    private final Path base;
    private final int port;
    private final int healthPort;
    private final Map<String, String> environment;
    private final List<String> command;
    private Process process;

    private Node(Path base, List<Integer> ports, Map<String, String> environment, List<String> command) {
        this.base = base;
        this.port = ports.get(0);
        this.healthPort = ports.get(1);
        this.environment = environment;
        this.command = command;
    }

    /** A Tomcat of that line in a directory of its own, set up and not started. */
    static Node tomcat(String line, Path base) throws Exception {
        Containers.copy(Containers.tomcat(line), base);
        List<Integer> ports = OwnPorts.take(2);
        Path server = base.resolve("conf/server.xml");
        Files.writeString(
                server,
                Files.readString(server)
                        .replace("port=\"8080\"", "port=\"" + ports.get(0) + "\"")
                        .replace("port=\"8005\"", "port=\"-1\""));
        Map<String, String> environment = Map.of(
                "CATALINA_HOME", base.toString(),
                "CATALINA_BASE", base.toString(),
                "JAVA_HOME", System.getProperty("java.home"),
                "CATALINA_OPTS", String.join(" ", OPTIONS));
        Readme.run("tomcat", environment);
        Path context = base.resolve("conf/context.xml");
        Files.writeString(
                context,
                Files.readString(context)
                        .replace("UnderstudyManager\"", "UnderstudyManager\" " + attributes(settings(ports.get(1)))));
        return new Node(
                base,
                ports,
                environment,
                List.of("sh", base.resolve("bin/catalina.sh").toString(), "run"));
    }

    /** A Jetty base with these modules, set up and not started. */
    static Node jetty(Path base, String modules) throws Exception {
        Files.createDirectories(base);
        List<Integer> ports = OwnPorts.take(2);
        Path start = Containers.jettyHome().resolve("start.jar");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Map<String, String> environment = Map.of(
                "JETTY_HOME", Containers.jettyHome().toString(),
                "JETTY_BASE", base.toString(),
                "PATH", Path.of(java).getParent() + ":" + System.getenv("PATH"));
        run(base, environment, java, "-jar", start.toString(), "--add-modules=" + modules);
        Readme.run("jetty", environment);
        List<String> properties = new ArrayList<>(List.of("jetty.http.port=" + ports.get(0)));
        settings(ports.get(1)).forEach((key, value) -> properties.add("understudy." + key + "=" + value));
        return new Node(
                base,
                ports,
                environment,
                Stream.of(List.of(java), OPTIONS, List.of("-jar", start.toString()), properties)
                        .flatMap(List::stream)
                        .toList());
    }

    /** Beyond those of the README: its cluster does not find those of other JVMs, and it is ready soon. */
    private static Map<String, String> settings(int healthPort) {
        return Map.of(
                "clusterName",
                "understudy-" + ProcessHandle.current().pid(),
                "healthPort",
                String.valueOf(healthPort),
                "warmUp",
                "off");
    }

    private static String attributes(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=\"" + setting.getValue() + "\"")
                .collect(Collectors.joining(" "));
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
            return status(this, path) == 200;
        });
    }

    /** Waits until it is ready, in a view of so many. It answers pages before that. */
    void awaitReadyAmong(int members) {
        Browser.Server health = path -> URI.create("http://127.0.0.1:" + healthPort + path);
        Await.until(
                STARTED,
                this::log,
                () -> status(health, "/ready") == 200
                        && Browser.forgetful()
                                .send(health, "/metrics")
                                .body()
                                .contains("\nunderstudy_members " + members + "\n"));
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

    private static int status(Browser.Server server, String path) {
        try {
            return Browser.forgetful().send(server, path).statusCode();
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
