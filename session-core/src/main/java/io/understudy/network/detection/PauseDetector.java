package io.understudy.network.detection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.threads.Loop;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Notices that this process did not run for a while (SIGSTOP, a suspended machine, a long collection): the others may have
 * taken it for dead and gone on without it.
 *
 * <p>Threads: one of its own makes the rounds; {@link #check} on any.
 */
public final class PauseDetector implements Loop.Rounds {

    /** Between two beats, in milliseconds. */
    private static final long BEAT_MILLIS = 100;

    /** A longer silence may have been taken for death; below what failure detection takes. */
    static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    private final LongConsumer onPause;
    private final Consumer<Throwable> failed;
    private final LongSupplier nanos;
    private volatile long lastBeatNanos;
    private volatile boolean stopped;

    /** How long, in milliseconds, the pause was that {@link #onPause} has to be told of still. */
    @GuardedBy("this")
    private long untold;

    /**
     * @param onPause receives for how many milliseconds the process stood still, again with the next beat if it fails
     * @param failed receives the failure; throws nothing
     * @param nanos a monotonic clock
     */
    public PauseDetector(LongConsumer onPause, Consumer<Throwable> failed, LongSupplier nanos) {
        this.onPause = onPause;
        this.failed = failed;
        this.nanos = nanos;
        this.lastBeatNanos = nanos.getAsLong();
    }

    /** The first beat: what was before it, as connecting, is no pause. */
    public void begin() {
        lastBeatNanos = nanos.getAsLong();
    }

    @Override
    public boolean round() throws InterruptedException {
        check();
        Thread.sleep(BEAT_MILLIS);
        return !stopped;
    }

    /** The thread that runs first after a pause notices it, and reports it before it goes on. Throws nothing. */
    public synchronized void check() {
        long silent = nanos.getAsLong() - lastBeatNanos;
        if (silent > PAUSE_NANOS) {
            untold = TimeUnit.NANOSECONDS.toMillis(silent);
        }
        if (untold > 0) {
            tell();
        }
        lastBeatNanos = nanos.getAsLong(); // Telling is no pause.
    }

    private synchronized void tell() {
        try {
            onPause.accept(untold);
            untold = 0;
        } catch (Throwable e) {
            failed.accept(e);
        }
    }

    /** Whether the last beat is longer ago than a running process lets it be. */
    public boolean late() {
        return nanos.getAsLong() - lastBeatNanos > PAUSE_NANOS;
    }

    public void stop() {
        stopped = true;
    }
}
