package io.understudy.sims;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A demo cluster of our own as a child process, on free ports. What it and its nodes log goes to a file.
 *
 * <p>Threads: one; the log is copied by another.
 */
final class DemoProcess implements AutoCloseable {

    /** Where the launcher was built: its classes, and a file that names what they depend on. */
    private static final String LAUNCHER = "understudy.sims.demo";

    /** The shop's WAR; the launcher asks for the same property. */
    private static final String WAR = "understudy.demo.war";

    /** How long the cluster may take until all nodes are ready, in seconds; the launcher gives up before. */
    private static final long READY_SECONDS = 120;

    /** How long an orderly stop may take before SIGKILL, in seconds. */
    private static final long STOP_SECONDS = 30;

    /**
     * What the launcher says once all nodes are ready.
     *
     * @param door the front door's address
     * @param token for the launcher's API
     */
    record Ready(URI door, String token) {}

    private final Process process;
    private final Ready ready;

    private DemoProcess(Process process, Ready ready) {
        this.process = process;
        this.ready = ready;
    }

    /**
     * Starts it and waits until all nodes are ready.
     *
     * @throws IOException naming the log if it does not get ready; nothing is left running then
     */
    static DemoProcess start(Settings settings, Path log) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command(settings)).redirectErrorStream(true).start();
        CompletableFuture<Ready> ready = new CompletableFuture<>();
        Thread copy = new Thread(() -> copy(process, log, ready), "demo-log");
        copy.setDaemon(true);
        copy.start();
        try {
            return new DemoProcess(process, ready.get(READY_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            end(process);
            throw new IOException("the demo cluster did not get ready, see " + log + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            end(process);
            throw e;
        }
    }

    Ready ready() {
        return ready;
    }

    /**
     * Checks that it ran until now.
     *
     * @throws IOException naming its exit code if it did not: then what was measured says nothing of Understudy
     */
    void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException(
                    "the demo cluster ended during the simulation, with exit code " + process.exitValue());
        }
    }

    @Override
    public void close() {
        end(process);
    }

    private static List<String> command(Settings settings) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-D" + WAR + "=" + given(WAR));
        command.add("-classpath");
        Path launcher = given(LAUNCHER);
        command.add(launcher.resolve("classes")
                + File.pathSeparator
                + Files.readString(launcher.resolve("dependencies.classpath")).strip());
        command.add("io.understudy.demo.launcher.Demo");
        List.of("port", "nodePort", "healthPort", "clusterPort").forEach(port -> command.add(port + "=0"));
        command.add("coherence=" + settings.coherence());
        command.add("transport=" + settings.transport());
        return command;
    }

    private static Path given(String property) {
        Path path = Path.of(System.getProperty(property, "")).toAbsolutePath();
        if (System.getProperty(property) == null || !Files.exists(path)) {
            throw new IllegalArgumentException("system property '" + property + "' must name what the demo was built "
                    + "to, was '" + System.getProperty(property) + "'; mvn -Pgatling sets it. Or give door=<address> "
                    + "and token=<token> of a demo that runs");
        }
        return path;
    }

    private static void copy(Process process, Path log, CompletableFuture<Ready> ready) {
        URI door = null;
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter out = new PrintWriter(Files.newBufferedWriter(log), true)) {
            String line;
            while ((line = lines.readLine()) != null) {
                out.println(line);
                door = orElse(after("shop:", line), door);
                String token = after("token:", line);
                if (door != null && token != null) {
                    ready.complete(new Ready(door, token));
                }
            }
            ready.completeExceptionally(new IOException("it ended before it was ready"));
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
    }

    private static @Nullable URI orElse(@Nullable String found, @Nullable URI otherwise) {
        return found == null ? otherwise : URI.create(found.replaceFirst("/$", ""));
    }

    /** The value in a line that begins with a label. */
    private static @Nullable String after(String label, String line) {
        String text = line.strip();
        return text.toLowerCase(Locale.ROOT).startsWith(label)
                ? text.substring(label.length()).strip()
                : null;
    }

    private static void end(Process process) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
        // The launcher ends its nodes; none may outlive it even if it could not.
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
