package io.understudy.benchmarks.visitors;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Tomcat and a Jetty of one cluster, each in a small heap, that browsers come to in turn. */
final class Web implements AutoCloseable {

    private static final int HTTP_PORT = 7810;
    private static final int BIND_PORT = 7820;
    private static final int HEALTH_PORT = 7850;
    private static final List<String> CONTAINERS = List.of(WebNode.TOMCAT, WebNode.JETTY);

    private final List<Process> processes = new ArrayList<>();
    private final WebClient client = new WebClient();

    /**
     * @param heap of each, as {@code 256m}
     * @param listenerMillis how long a listener takes for each session that ends
     */
    Web(Trial trial, String heap, int listenerMillis) throws IOException {
        Files.createDirectories(trial.results());
        for (int node = 0; node < CONTAINERS.size(); node++) {
            Path directory = trial.results().resolve("web-" + CONTAINERS.get(node));
            List<String> command = List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx" + heap,
                    "-XX:+ExitOnOutOfMemoryError",
                    "-Djava.net.preferIPv4Stack=true",
                    "-cp",
                    System.getProperty("java.class.path"),
                    WebNode.class.getName(),
                    CONTAINERS.get(node),
                    String.valueOf(HTTP_PORT + node),
                    String.valueOf(listenerMillis),
                    directory.resolve("base").toString(),
                    "clusterName=web",
                    "nodeName=" + CONTAINERS.get(node),
                    "bindAddress=127.0.0.1",
                    "bindPort=" + (BIND_PORT + 4 * node),
                    "hosts=127.0.0.1:" + BIND_PORT + ",127.0.0.1:" + (BIND_PORT + 4),
                    "healthPort=" + healthPort(node),
                    "spillDirectory=" + directory.resolve("spill"));
            processes.add(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(trial.results()
                            .resolve("web-" + CONTAINERS.get(node) + ".log")
                            .toFile())
                    .start());
        }
        for (int node = 0; node < CONTAINERS.size(); node++) {
            int at = node;
            Await.that(CONTAINERS.get(node) + " is ready", () -> ready(at));
        }
    }

    int nodes() {
        return CONTAINERS.size();
    }

    WebClient client() {
        return client;
    }

    static int port(int node) {
        return HTTP_PORT + node;
    }

    static int healthPort(int node) {
        return HEALTH_PORT + node;
    }

    boolean ready(int node) {
        if (!processes.get(node).isAlive()) {
            throw new IllegalStateException(CONTAINERS.get(node) + " ended with "
                    + processes.get(node).exitValue() + "; its log is beside the results");
        }
        try {
            client.ask(healthPort(node), "/ready", "");
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A session of that number, begun on one of the nodes; its cookie. */
    String fill(int number, int idleSeconds) throws IOException, InterruptedException {
        return WebClient.cookie(
                client.ask(port(number % nodes()), "/fill?number=" + number + "&idle=" + idleSeconds, ""));
    }

    String use(int node, int number, String cookie) throws IOException, InterruptedException {
        return client.ask(port(node), "/use?number=" + number, cookie).body();
    }

    /** Counts, for each session id, the destroy events of all nodes. */
    Map<String, Integer> told() throws IOException, InterruptedException {
        Map<String, Integer> told = new HashMap<>();
        for (int node = 0; node < nodes(); node++) {
            client.ask(port(node), "/told", "").body().lines().forEach(id -> told.merge(id, 1, Integer::sum));
        }
        return told;
    }

    /** How many milliseconds a node collected garbage ({@code gc_ms}), and ran ({@code millis}). */
    Figures figures(int node) throws IOException, InterruptedException {
        HttpResponse<String> figures = client.ask(port(node), "/figures", "");
        return Figures.parse(figures.body());
    }

    @Override
    public void close() {
        client.close();
        processes.forEach(Process::destroy);
        for (Process process : processes) {
            try {
                if (!process.waitFor(20, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroyForcibly();
            }
        }
    }
}
