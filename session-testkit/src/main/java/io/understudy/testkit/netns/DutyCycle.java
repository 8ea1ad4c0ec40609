package io.understudy.testkit.netns;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs and stands still in turn, until this is closed: as on a machine that has no time for it. While
 * it runs it yields to all others: it stands for a machine of its own, and would else take from the others on this
 * one, each time it goes on, all it can get. It runs as before afterwards, also if the JVM that made this ended.
 *
 * <p>Threads: one.
 */
public final class DutyCycle implements AutoCloseable {

    /** A shell waits for its own input, which never comes, without starting a process for that; its end is ours. */
    private static final String TURNS = "chrt --all-tasks --idle --pid 0 $1; "
            + "while kill -CONT $1; do read -t $2; [ $? -gt 128 ] || break; "
            + "kill -STOP $1 || break; read -t $3; [ $? -gt 128 ] || break; done; "
            + "kill -CONT $1; chrt --all-tasks --other --pid 0 $1";

    private static final long END_SECONDS = 60;

    private final Process shell;

    private DutyCycle(Process shell) {
        this.shell = shell;
    }

    static DutyCycle of(long pid, Duration running, Duration stopped) {
        try {
            return new DutyCycle(new ProcessBuilder(
                            List.of("bash", "-c", TURNS, "turns", String.valueOf(pid), text(running), text(stopped)))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new IllegalStateException("bash is needed: " + e.getMessage(), e);
        }
    }

    private static String text(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toMillis() / 1e3);
    }

    /** Ends it. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
                throw new IllegalStateException("the shell of a duty cycle did not end within " + END_SECONDS + " s");
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
