package io.understudy.cluster;

import java.util.function.LongConsumer;

/**
 * Notices that this process did not run for a while (SIGSTOP, a suspended machine, a long collection): the others may have
 * taken it for dead and gone on without it.
 *
 * <p>Threads: one of its own beats; {@link #check} on any.
 */
final class Pulse implements Runnable {

    /** Between two beats, in milliseconds. */
    private static final long BEAT_MILLIS = 100;

    /** A longer silence, in milliseconds, may have been taken for death; below what failure detection takes. */
    static final long PAUSE_MILLIS = 1500;

    private final LongConsumer onPause;
    private volatile long lastBeatNanos = System.nanoTime();
    private volatile boolean stopped;

    /** @param onPause is told for how many milliseconds the process stood still */
    Pulse(LongConsumer onPause) {
        this.onPause = onPause;
    }

    @Override
    public void run() {
        lastBeatNanos = System.nanoTime(); // Connecting may have taken longer than a pause.
        try {
            while (!stopped) {
                check();
                Thread.sleep(BEAT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whoever runs first after a pause notices it, and tells before going on. */
    synchronized void check() {
        long silent = (System.nanoTime() - lastBeatNanos) / 1_000_000;
        if (silent > PAUSE_MILLIS) {
            onPause.accept(silent);
        }
        lastBeatNanos = System.nanoTime();
    }

    /** Whether the last beat is longer ago than a running process lets it be. */
    boolean late() {
        return System.nanoTime() - lastBeatNanos > PAUSE_MILLIS * 1_000_000;
    }

    void stop() {
        stopped = true;
    }
}
