package io.understudy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * The changes of one request on their way to the other members.
 *
 * <p>Threads: any. Wait outside every lock of the container.
 */
public final class Commit {

    /** How a commit ended. */
    public enum Outcome {
        /** Nothing had changed; nothing was sent. */
        UNCHANGED,
        /** Sent, and not waited for: incoherent mode. */
        SENT,
        /** Every member that is ready for the application holds the changes. */
        ACKNOWLEDGED,
        /** Not acknowledged in time, or nobody else is there to hold the changes. */
        DEGRADED
    }

    /** The commit of a request that changed nothing. */
    public static final Commit NOTHING = new Commit(CompletableFuture.completedFuture(Outcome.UNCHANGED));

    private final CompletableFuture<Outcome> outcome;

    Commit(CompletableFuture<Outcome> outcome) {
        this.outcome = outcome;
    }

    boolean pending() {
        return !outcome.isDone();
    }

    /** Completes with the outcome, at the latest when {@code ackTimeout} is over; never exceptionally. */
    public CompletionStage<Outcome> outcome() {
        return outcome;
    }

    /**
     * Waits for the outcome, at most {@code ackTimeout}. An interrupted thread stays interrupted and gets {@link
     * Outcome#DEGRADED}.
     */
    public Outcome await() {
        try {
            return outcome.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.DEGRADED;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an outcome never fails", e);
        }
    }
}
