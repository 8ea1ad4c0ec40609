package io.understudy.testkit.member;

import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Another member of the application {@code /shop} in a JVM of its own, on loopback, that can be frozen, thawed and
 * killed. It ends with the process that started it.
 */
public final class LoopbackPeer implements AutoCloseable {

    private static final String READY = "ready";
    private static final Duration LIMIT = Await.LIMIT;

    private final Process process;

    private LoopbackPeer(Process process) {
        this.process = process;
    }

    /**
     * Returns when it is ready.
     *
     * @param settings by name, besides those that place the node
     */
    public static LoopbackPeer start(UnderstudyConfig place, Map<String, String> settings) throws IOException {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("clusterName", place.clusterName());
        all.put("nodeName", place.nodeName());
        all.put("bindPort", String.valueOf(place.bindPort()));
        all.put(
                "hosts",
                String.join(
                        ",",
                        place.hosts().stream()
                                .map(host -> host.host() + ":" + host.port())
                                .toList()));
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx128m",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                LoopbackPeer.class.getName()));
        all.forEach((name, value) -> command.add(name + "=" + value));
        Path log = Files.createTempFile("understudy-peer", ".log");
        log.toFile().deleteOnExit();
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        LoopbackPeer peer = new LoopbackPeer(process);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (!READY.equals(line)) {
            peer.close();
            throw new IOException("the peer did not start; it said: " + line + "\n" + Files.readString(log));
        }
        return peer;
    }

    public static void main(String[] args) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            settings.put(arg.substring(0, equals), arg.substring(equals + 1));
        }
        settings.put("startAlone", "wait 30s"); // Whoever started it is there already.
        settings.put("warmUp", "off");
        try (Understudy node = Understudy.start(UnderstudyConfig.fromProperties(settings));
                ReplicatedSessions sessions = node.join("/shop", LoopbackPeer.class::getClassLoader)) {
            Await.until(
                    LIMIT,
                    () -> sessions.application() + ": " + node.readiness(),
                    () -> node.readiness().ready());
            System.out.println(READY);
            // The starter closes our input when it is done with us, also by its own death.
            while (new InputStreamReader(System.in, StandardCharsets.UTF_8).read() >= 0) {}
        }
    }

    /** Returns when it is stopped. */
    public void freeze() {
        Signals.stop(process);
    }

    public void thaw() {
        Signals.goOn(process);
    }

    /** By SIGKILL: it sends no goodbye. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws IOException {
        if (process.isAlive()) {
            thaw();
        }
        process.outputWriter(StandardCharsets.UTF_8).close();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
