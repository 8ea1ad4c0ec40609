package io.understudy.testkit.netns;

import io.understudy.testkit.Signals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A JVM on a {@link Network.Host}. Its standard input is a pipe from here: a program that ends when that is closed ends
 * with its starter.
 *
 * <p>Threads: any.
 */
public final class Jvm implements AutoCloseable {

    /** How long a killed process may take to be gone, in seconds. */
    private static final long GONE_SECONDS = 60;

    /** {@code ip netns exec} becomes the program it runs, so this is the JVM itself. */
    private final Process process;

    Jvm(Process process) {
        this.process = process;
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** SIGSTOP: it stands still, and its sockets stay open. Returns when its last thread has stopped. */
    public void freeze() {
        Signals.stop(process);
    }

    /** SIGCONT. */
    public void thaw() {
        Signals.goOn(process);
    }

    /** It prints what its threads do, and goes on. */
    public void printThreads() {
        Signals.printThreads(process);
    }

    /** It runs and stands still in turn, until this is closed. */
    public DutyCycle duty(Duration running, Duration stopped) {
        return DutyCycle.of(pid(), running, stopped);
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(GONE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "process " + pid() + " was killed, and is there after " + GONE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes a line to its standard input. */
    public void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Closes its standard input. */
    public void endInput() throws IOException {
        process.getOutputStream().close();
    }

    @Override
    public void close() {
        kill();
    }
}
