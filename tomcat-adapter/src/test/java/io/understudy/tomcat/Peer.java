package io.understudy.tomcat;

import io.understudy.ReplicatedSessions;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Another member in a JVM of its own, which can be frozen: then its acknowledgements are late. */
final class Peer implements AutoCloseable {

    private static final String READY = "ready";

    private final Process process;

    private Peer(Process process) {
        this.process = process;
    }

    /** Returns when it is ready for the application {@code /shop}. */
    static Peer start(UnderstudyConfig config) throws IOException {
        String hosts = String.join(
                ",",
                config.hosts().stream()
                        .map(host -> host.host() + ":" + host.port())
                        .toList());
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx128m",
                        "-Djava.net.preferIPv4Stack=true",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Peer.class.getName(),
                        config.clusterName(),
                        config.nodeName(),
                        String.valueOf(config.bindPort()),
                        hosts)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Peer peer = new Peer(process);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (!READY.equals(line)) {
            peer.close();
            throw new IOException("the peer did not start; it said: " + line);
        }
        return peer;
    }

    public static void main(String[] args) throws IOException {
        UnderstudyConfig config = UnderstudyConfig.builder()
                .clusterName(args[0])
                .nodeName(args[1])
                .bind("127.0.0.1", Integer.parseInt(args[2]))
                .hosts(args[3].split(","))
                .set("startAlone", "serve")
                .build();
        try (Understudy node = Understudy.start(config);
                ReplicatedSessions sessions = node.join("/shop", Peer.class::getClassLoader)) {
            Eventually.holds(
                    "peer is ready for " + sessions.application(),
                    () -> node.readiness().ready());
            System.out.println(READY);
            // The parent closes our input when it is done with us, also by its own death.
            while (new InputStreamReader(System.in, StandardCharsets.UTF_8).read() >= 0) {}
        }
    }

    /** Returns when it is stopped: the signal alone is on its way for as long as a busy machine likes. */
    void freeze() throws Exception {
        shell("kill -STOP " + process.pid());
        Eventually.holds("the peer is stopped", () -> state().startsWith("T"));
    }

    void thaw() throws Exception {
        shell("kill -CONT " + process.pid());
    }

    private String state() throws Exception {
        Path linux = Path.of("/proc", String.valueOf(process.pid()), "stat");
        if (Files.exists(linux)) {
            String stat = Files.readString(linux);
            // The state follows the name of the program, which may have parentheses and spaces of its own.
            return stat.substring(stat.lastIndexOf(')') + 2);
        }
        return shell("ps -o state= -p " + process.pid());
    }

    private static String shell(String command) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (shell.waitFor() != 0) {
            throw new IOException(command + " failed: " + output);
        }
        return output.strip();
    }

    @Override
    public void close() throws IOException {
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
