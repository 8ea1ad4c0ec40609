package io.understudy.session;

import io.understudy.cluster.delivery.AckResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one request on their way to the other members.
 *
 * <p>Threads: any. Wait outside every lock of the container.
 */
public final class Commit {

    /** How a commit ended, from the best to the worst. */
    public enum Outcome {
        /** Nothing had changed; nothing was sent. */
        UNCHANGED,
        /**
         * Every other member of the view that was ready for the application when it was sent, and did not leave, has
         * it.
         */
        ACKNOWLEDGED,
        /** Sent, and not waited for: incoherent mode. */
        SENT,
        /**
         * As many members have it as the setting {@code acks} asks for, which were not all: degraded, as configured.
         */
        PARTLY,
        /**
         * Not acknowledged in time by as many as {@code acks} asks for, or nobody else is there to hold it; or a value
         * could not be encoded for a reason that may be gone soon, and a later commit sends it.
         */
        DEGRADED;

        /** Whether a coherent response leaves although not every member that is ready for the application has it. */
        public boolean degraded() {
            return this == PARTLY || this == DEGRADED;
        }

        /** The worse of two. */
        public static Outcome worse(Outcome a, Outcome b) {
            return a.compareTo(b) < 0 ? b : a;
        }
    }

    /** The commit of a request that changed nothing. */
    public static final Commit NOTHING = new Commit(CompletableFuture.completedFuture(Outcome.UNCHANGED), null);

    private final @Nullable AwaitedOutcome awaited;
    private final CompletableFuture<Outcome> decided;
    private final @Nullable CompletableFuture<AckResult> held;

    /** @param held completes when the change is held, and {@code outcome} does not wait for that; {@code null} if there is none */
    Commit(CompletableFuture<Outcome> outcome, @Nullable CompletableFuture<AckResult> held) {
        this.awaited = null;
        this.decided = outcome;
        this.held = held;
    }

    /** The commit of a change that its request waits for. */
    Commit(AwaitedOutcome awaited, CompletableFuture<AckResult> held) {
        this.awaited = awaited;
        this.decided = awaited.untimed();
        this.held = held;
    }

    /** By whom the change is held; {@code null} if nothing was sent. */
    @Nullable
    CompletableFuture<AckResult> held() {
        return held;
    }

    /** What a coherent request would have to wait for; {@code null} if nothing, or {@link #outcome} does. */
    @Nullable
    CompletableFuture<AckResult> notAwaited() {
        return awaited != null || held == null || held.isDone() ? null : held;
    }

    /** Whether a coherent request that shows the change would have to wait for it. */
    boolean underWay() {
        return notAwaited() != null || pending();
    }

    /** The object is reachable until the change is under way no longer. */
    void keepsUntilDecided(Object kept) {
        CompletableFuture<?> end = awaited != null || held == null ? decided : held;
        if (!end.isDone()) {
            var unused = end.thenApply(how -> kept);
        }
    }

    /** As {@link #outcome}, but without a time limit, and without memory for one. */
    CompletionStage<Outcome> decided() {
        return decided;
    }

    boolean pending() {
        return awaited == null ? !decided.isDone() : awaited.pending();
    }

    /**
     * Completes with the outcome, at the latest {@code ackTimeout} after the changes were sent; never exceptionally.
     * On the thread that reads from a member, on another one of the cluster, or on the caller's: what follows must
     * not wait.
     */
    public CompletionStage<Outcome> outcome() {
        return awaited == null ? decided : awaited.timed();
    }

    /**
     * Waits for the outcome, at most until {@code ackTimeout} after the changes were sent. An interrupted thread stays
     * interrupted and gets {@link Outcome#DEGRADED}, whatever the outcome will be: the commit counts as degraded.
     */
    public Outcome await() {
        try {
            return awaited == null ? decided.get() : awaited.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (awaited != null) {
                awaited.abandoned();
            }
            return Outcome.DEGRADED;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an outcome never fails", e);
        }
    }
}
