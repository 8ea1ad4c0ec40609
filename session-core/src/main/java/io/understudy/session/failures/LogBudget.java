package io.understudy.session.failures;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/**
 * How many lines may be logged: some at once, and further ones at a rate. It counts those that are left out.
 *
 * <p>Threads: any; guarded by this.
 */
final class LogBudget {

    private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

    private final double atOnce;
    private final double perMinute;

    @GuardedBy("this")
    private double lines;

    @GuardedBy("this")
    private long asOfMillis;

    @GuardedBy("this")
    private long leftOut;

    /** @param nowMillis monotonic */
    LogBudget(double atOnce, double perMinute, long nowMillis) {
        this.atOnce = atOnce;
        this.perMinute = perMinute;
        this.lines = atOnce;
        this.asOfMillis = nowMillis;
    }

    /** Whether there is a line left. It is not yet taken. */
    synchronized boolean left(long nowMillis) {
        double earned = Math.max(0, nowMillis - asOfMillis) * perMinute / MINUTE;
        lines = Math.min(atOnce, lines + earned);
        asOfMillis = nowMillis;
        return lines >= 1;
    }

    /** A line is not logged. */
    synchronized void leaveOut() {
        leftOut++;
    }

    /** Takes a line. @return how many were left out since the one before */
    synchronized long take() {
        lines--;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
