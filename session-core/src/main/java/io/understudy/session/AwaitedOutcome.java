package io.understudy.session;

import io.understudy.session.Commit.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The outcome of a commit that is waited for until a deadline. A thread that waits for it looks at the clock itself;
 * a timer is set only for those who are to be called.
 *
 * <p>Threads: any.
 */
final class AwaitedOutcome {

    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final AtomicBoolean decided = new AtomicBoolean();
    private final AtomicBoolean counted = new AtomicBoolean();
    private final AtomicBoolean timed = new AtomicBoolean();
    private final Consumer<Outcome> counts;
    private final long deadlineNanos;

    /**
     * @param counts is told the outcome, once: before anybody else is, or when a thread that waits is interrupted;
     *     throws nothing
     */
    AwaitedOutcome(long nanos, Consumer<Outcome> counts) {
        this.deadlineNanos = System.nanoTime() + nanos;
        this.counts = counts;
    }

    /** Only the first call counts. */
    void decide(Outcome how) {
        if (decided.compareAndSet(false, true)) {
            try {
                count(how);
            } finally {
                outcome.complete(how);
            }
        }
    }

    private void count(Outcome how) {
        if (counted.compareAndSet(false, true)) {
            counts.accept(how);
        }
    }

    /**
     * A response leaves without the outcome, as the thread that waited was interrupted. It counts as degraded. The
     * other responses that wait get the outcome.
     */
    void abandoned() {
        count(Outcome.DEGRADED);
    }

    /** Whether it is neither decided, nor the time over. */
    boolean pending() {
        return !outcome.isDone() && left() > 0;
    }

    private long left() {
        return deadlineNanos - System.nanoTime();
    }

    Outcome await() throws InterruptedException, ExecutionException {
        try {
            return outcome.get(Math.max(0, left()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            decide(Outcome.DEGRADED);
            return outcome.get(); // Of whoever was faster.
        }
    }

    /** It completes when it is decided: perhaps after the deadline. */
    CompletableFuture<Outcome> untimed() {
        return outcome;
    }

    /** It completes at the deadline also if nobody waits for it. */
    CompletableFuture<Outcome> timed() {
        if (!outcome.isDone() && timed.compareAndSet(false, true)) {
            boolean set = false;
            try {
                setLimit();
                set = true;
            } finally {
                if (!set) {
                    timed.set(false); // The next call tries again.
                }
            }
        }
        return outcome;
    }

    private void setLimit() {
        CompletableFuture<Outcome> limit = new CompletableFuture<Outcome>()
                .completeOnTimeout(Outcome.DEGRADED, Math.max(0, left()), TimeUnit.NANOSECONDS);
        var unused = limit.thenAccept(this::decide);
        var unusedToo = outcome.thenAccept(limit::complete); // Which takes the timer back.
    }
}
