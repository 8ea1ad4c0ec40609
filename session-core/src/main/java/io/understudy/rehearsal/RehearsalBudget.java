package io.understudy.rehearsal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/**
 * What rehearsals may cost: a share of one processor, on average. It keeps the share of a minute at most of time
 * that was not used. One value may take more than is left; then no other is tried before that is earned.
 *
 * <p>Threads: any; guarded by this.
 */
final class RehearsalBudget {

    private static final long KEPT_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final double PERCENT = 100;

    private final double nanosPerMilli;

    @GuardedBy("this")
    private double balance;

    @GuardedBy("this")
    private long asOfMillis;

    /** @param percent of one processor */
    RehearsalBudget(double percent, long nowMillis) {
        this.nanosPerMilli = percent / PERCENT * TimeUnit.MILLISECONDS.toNanos(1);
        this.asOfMillis = nowMillis;
    }

    /** Time has passed. */
    synchronized void earn(long nowMillis) {
        double earned = Math.max(0, nowMillis - asOfMillis) * nanosPerMilli;
        balance = Math.min(KEPT_MILLIS * nanosPerMilli, balance + earned);
        asOfMillis = nowMillis;
    }

    /** Processor time was used. */
    synchronized void spend(long nanos) {
        balance -= Math.max(0, nanos);
    }

    /** Whether there is something left to be used. */
    synchronized boolean left() {
        return balance > 0;
    }
}
