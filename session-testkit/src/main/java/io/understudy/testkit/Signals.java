package io.understudy.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Processes that stand still for a while, with their sockets open; not on Windows. */
public final class Signals {

    private static final Duration LIMIT = Await.LIMIT;

    private Signals() {}

    /**
     * SIGSTOP. Returns when the last thread has stopped: the signal is on its way for as long as a busy machine likes, and the
     * other threads go on meanwhile.
     */
    public static void stop(Process process) {
        send(process, "STOP");
        Await.until(LIMIT, () -> "process " + process.pid() + " runs on", () -> !process.isAlive() || stopped(process));
    }

    /** SIGCONT. */
    public static void goOn(Process process) {
        send(process, "CONT");
    }

    /** SIGQUIT: a JVM prints what its threads do, and goes on. */
    public static void printThreads(Process process) {
        send(process, "QUIT");
    }

    private static void send(Process process, String signal) {
        if (process.isAlive()) {
            output("kill", "-" + signal, String.valueOf(process.pid()));
        }
    }

    private static boolean stopped(Process process) {
        Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
        if (!Files.exists(threads)) { // Not Linux, which stops the threads one by one.
            return output("ps", "-o", "state=", "-p", String.valueOf(process.pid()))
                    .trim()
                    .startsWith("T");
        }
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                // The state follows the name of the program, which may have parentheses and spaces of its own.
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException | UncheckedIOException e) {
            return false; // A thread ended while it was looked at: look again.
        }
    }

    private static String output(String... command) {
        try {
            Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (run.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
