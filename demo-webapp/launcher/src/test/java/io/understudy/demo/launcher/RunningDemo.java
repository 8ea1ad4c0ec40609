package io.understudy.demo.launcher;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The demo as users start it, as a process of its own at ports of its own, driven by its dashboard's API. */
final class RunningDemo {

    /** How long anything that has to happen may take on a busy machine: the start of a JVM takes two seconds on an idle one. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** For the JVMs of the demo and of its nodes, which start often here and never run for long. */
    private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final Pattern NODE = Pattern.compile("\\{\"name\":\"(?<name>[^\"]+)\",\"container\":\"[^\"]+\","
            + "\"url\":\"(?<url>[^\"]+)\",\"health\":\"(?<health>[^\"]+)\",\"pid\":(?<pid>null|\\d+),"
            + "\"state\":\"(?<state>[^\"]+)\",\"reason\":\"(?<reason>(?:[^\"\\\\]|\\\\.)*)\","
            + "\"sessions\":(?:null|\\d+),\"starts\":\\d+,\"becameReady\":(?<becameReady>\\d+)}");

    /** A node as the API shows it; {@code pid} is -1 without a process. */
    record Node(String name, URI url, URI health, long pid, String state, String reason, int becameReady) {}

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final Process process;
    private final Path tmp;

    RunningDemo(String... options) throws Exception {
        tmp = Files.createTempDirectory("understudy-demo-it");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + tmp,
                "-Dunderstudy.demo.war=" + System.getProperty("understudy.demo.war"),
                "-classpath",
                System.getProperty("java.class.path"),
                Demo.class.getName()));
        command.addAll(List.of("port=0", "nodePort=0", "healthPort=0", "clusterPort=0", "warmUp=off"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JDK_JAVA_OPTIONS", SHORT_LIVED);
        process = builder.start();
        Thread reader = new Thread(this::read, "demo-output");
        reader.setDaemon(true);
        reader.start();
        await("the demo is ready", () -> printed("Ctrl-C stops everything").isPresent() || !process.isAlive());
        assertTrue(process.isAlive(), "the demo runs");
    }

    /** The front door; ends with a slash. */
    URI address() {
        return URI.create(printed("shop: +(\\S+)").orElseThrow());
    }

    String token() {
        return printed("token: +(\\S+)").orElseThrow();
    }

    /** The launcher's own process. */
    Process process() {
        return process;
    }

    List<Node> nodes() throws Exception {
        Matcher matcher = NODE.matcher(send(to("cluster/api/nodes")).body());
        List<Node> nodes = new ArrayList<>();
        while (matcher.find()) {
            String pid = matcher.group("pid");
            nodes.add(new Node(
                    matcher.group("name"),
                    URI.create(matcher.group("url")),
                    URI.create(matcher.group("health")),
                    pid.equals("null") ? -1 : Long.parseLong(pid),
                    matcher.group("state"),
                    matcher.group("reason"),
                    Integer.parseInt(matcher.group("becameReady"))));
        }
        return nodes;
    }

    Node node(String name) throws Exception {
        return nodes().stream()
                .filter(node -> node.name().equals(name))
                .findAny()
                .orElseThrow();
    }

    /** Does it, and fails if the launcher refuses. */
    void act(String node, String action) throws Exception {
        HttpResponse<String> response = send(action(node, action).header("X-Understudy-Token", token()));
        if (response.statusCode() != 200) {
            fail(action + " " + node + ": " + response.statusCode() + " " + response.body());
        }
    }

    /** The request for an action, without the token. */
    HttpRequest.Builder action(String node, String action) {
        return to("cluster/api/nodes/" + node + "/" + action).POST(HttpRequest.BodyPublishers.noBody());
    }

    void awaitReady(String node) {
        await(node + " is ready", () -> state(node).equals("ready"));
    }

    String state(String node) {
        try {
            return node(node).state();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(address().resolve(path)).timeout(PATIENCE);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Polls until it is so; fails, with what the demo printed, if it does not come about. */
    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                fail("not within " + PATIENCE.toSeconds() + " s: " + what + "\n" + String.join("\n", output));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail("interrupted while waiting for: " + what);
            }
        }
    }

    /** Fails with all that the demo printed, at last the stacks of the node's threads and of the launcher's. */
    void failWithThreads(Node node) throws Exception {
        printThreads(process.pid());
        if (node.pid() > 0) {
            printThreads(node.pid());
        }
        fail(node + "\n" + String.join("\n", output));
    }

    private void printThreads(long pid) throws Exception {
        int before = output.size();
        new ProcessBuilder("kill", "-QUIT", String.valueOf(pid)).start().waitFor();
        await(
                pid + " prints its threads",
                () -> output.stream().skip(before).anyMatch(line -> line.contains("JNI global refs")));
    }

    /** SIGTERM, as Ctrl-C would; asserts that no node is left. */
    void stop() throws Exception {
        if (!process.isAlive()) {
            // Killed by the test: nobody was left to tidy up.
            return;
        }
        List<Node> nodes = nodes();
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("the launcher did not end on SIGTERM\n" + String.join("\n", output));
        }
        awaitGone(nodes);
        try (Stream<Path> left = Files.list(tmp)) {
            List<String> demo = left.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("understudy-demo"))
                    .toList();
            assertTrue(demo.isEmpty(), () -> "left in the temporary directory: " + demo);
        }
    }

    void awaitGone(List<Node> nodes) {
        for (Node node : nodes) {
            await(
                    node.name() + "'s process " + node.pid() + " is gone",
                    () -> ProcessHandle.of(node.pid())
                            .filter(ProcessHandle::isAlive)
                            .isEmpty());
        }
    }

    private Optional<String> printed(String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        for (String line : output) {
            Matcher matcher = compiled.matcher(line);
            if (matcher.find()) {
                return Optional.of(matcher.group(matcher.groupCount()));
            }
        }
        return Optional.empty();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line;
            while ((line = lines.readLine()) != null) {
                output.add(line);
                System.out.println(line);
            }
        } catch (IOException e) {
            // The process is gone.
        }
    }
}
