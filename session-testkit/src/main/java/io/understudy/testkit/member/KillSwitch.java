package io.understudy.testkit.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * SIGKILL of this process when it has noted a certain end of a session. A test that looks from outside may find that
 * all ends are noted before it kills.
 *
 * <p>Threads: any.
 */
final class KillSwitch {

    private static final int OFF = -1;

    @GuardedBy("this")
    private int left = OFF;

    @GuardedBy("this")
    private boolean mayDie;

    @GuardedBy("this")
    private @Nullable Process killer;

    /**
     * Of the ends that are noted from now on, the one with this number is the last.
     *
     * @param number from 1 on
     */
    synchronized void last(int number) {
        try {
            // It runs before it is needed: what this process does goes on while a shell starts.
            killer = new ProcessBuilder(
                            "sh",
                            "-c",
                            "read line && kill -KILL $0",
                            String.valueOf(ProcessHandle.current().pid()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        left = number;
    }

    /** The process is killed at its last end, at once if that is noted. */
    synchronized void mayDie() {
        mayDie = true;
        notifyAll();
    }

    /** An end is noted. Never returns after the last one: the caller's monitors stay held until the process is gone. */
    synchronized void noted() {
        if (left == OFF || --left > 0) {
            return;
        }
        try {
            while (!mayDie) {
                wait();
            }
            kill();
            while (true) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted after the last end", e);
        }
    }

    @GuardedBy("this")
    private void kill() {
        Process shell = killer;
        if (shell == null) {
            throw new IllegalStateException("no last end was named");
        }
        try {
            shell.getOutputStream().write("now\n".getBytes(StandardCharsets.UTF_8));
            shell.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
