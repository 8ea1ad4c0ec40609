package io.understudy.session;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.session.Commit.Outcome;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a commit that is waited for until a deadline. A thread that waits for it looks at the clock itself;
 * a timer is set only for those who are to be called.
 *
 * <p>Threads: any.
 */
final class AwaitedOutcome implements Function<AckResult, Outcome> {

    private static final AtomicReferenceFieldUpdater<AwaitedOutcome, @Nullable Outcome> DECISION =
            AtomicReferenceFieldUpdater.newUpdater(AwaitedOutcome.class, Outcome.class, "decision");

    private static final AtomicIntegerFieldUpdater<AwaitedOutcome> COUNTED =
            AtomicIntegerFieldUpdater.newUpdater(AwaitedOutcome.class, "counted");

    private static final AtomicIntegerFieldUpdater<AwaitedOutcome> TIMED =
            AtomicIntegerFieldUpdater.newUpdater(AwaitedOutcome.class, "timed");

    private final CompletableFuture<Outcome> outcome;
    private final Consumer<Outcome> counts;
    private final long deadlineNanos;
    private final boolean partial;
    private volatile @Nullable Outcome decision;

    @SuppressWarnings("UnusedVariable") // The updaters use it, and the next one.
    private volatile int counted;

    @SuppressWarnings("UnusedVariable")
    private volatile int timed;

    /**
     * @param counts is told the outcome, once, or that a thread which waited was interrupted; throws nothing
     * @param held decides the outcome
     * @param partial whether that is degraded in any case
     */
    AwaitedOutcome(long nanos, Consumer<Outcome> counts, CompletableFuture<AckResult> held, boolean partial) {
        this.deadlineNanos = System.nanoTime() + nanos;
        this.counts = counts;
        this.partial = partial;
        this.outcome = held.thenApply(this); // Last: it may be known.
    }

    /** The members that hold the change decide. */
    @Override
    public Outcome apply(AckResult held) {
        return decided(partial ? Outcome.DEGRADED : outcome(held));
    }

    private static Outcome outcome(AckResult held) {
        return switch (held) {
            case ALL -> Outcome.ACKNOWLEDGED;
            case ENOUGH -> Outcome.PARTLY;
            case FEW, NONE -> Outcome.DEGRADED;
        };
    }

    /** Only the first call counts. */
    private Outcome decided(Outcome how) {
        DECISION.compareAndSet(this, null, how);
        Outcome first = Objects.requireNonNull(decision);
        count(first); // Before it is told, unless another thread is about to.
        return first;
    }

    private void decide(Outcome how) {
        outcome.complete(decided(how));
    }

    private void count(Outcome how) {
        if (COUNTED.compareAndSet(this, 0, 1)) {
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
        if (!outcome.isDone() && TIMED.compareAndSet(this, 0, 1)) {
            boolean set = false;
            try {
                setLimit();
                set = true;
            } finally {
                if (!set) {
                    timed = 0; // The next call tries again.
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
