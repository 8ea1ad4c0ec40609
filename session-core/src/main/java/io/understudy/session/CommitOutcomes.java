package io.understudy.session;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.cluster.delivery.PendingAck;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.session.Commit.Outcome;
import io.understudy.threads.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which commits of one application are awaited, and how they end. Threads: any. */
final class CommitOutcomes {

    private static final Logger LOG = System.getLogger(CommitOutcomes.class.getName());

    private static final CompletableFuture<Outcome> SENT = CompletableFuture.completedFuture(Outcome.SENT);

    private final UnderstudyConfig config;
    private final Supplier<@Nullable Coherence> nodeMode;
    private final Runnable hurry;
    private final ReplicationMetrics metrics;
    private final long ackTimeoutNanos;
    private final Consumer<Outcome> counts = this::count;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param nodeMode what the node was turned to; {@code null} if the applications' own settings hold
     * @param hurry has changes sent at once, as a request waits for them
     */
    CommitOutcomes(
            UnderstudyConfig config,
            Supplier<@Nullable Coherence> nodeMode,
            Runnable hurry,
            ReplicationMetrics metrics) {
        this.config = config;
        this.nodeMode = nodeMode;
        this.hurry = hurry;
        this.metrics = metrics;
        this.ackTimeoutNanos = config.ackTimeout().toNanos();
    }

    /**
     * Whether a commit is awaited: the request's own word counts first, then the node's, then the setting. To be asked
     * after the change was prepared: then a node that turns coherent waits for it, or it waits itself.
     */
    boolean waits(@Nullable Coherence override) {
        Coherence node = nodeMode.get();
        return (override != null ? override : node != null ? node : config.coherence()) == Coherence.COHERENT;
    }

    /**
     * Waits for the lock of a session's commits, {@code ackTimeout} at most. An interrupt does not shorten that.
     *
     * @param session for the log, as text
     * @return whether the thread has it now, and gives it back
     */
    boolean turn(Lock commits, Object session) {
        if (commits.tryLock()) {
            return true;
        }
        long end = System.nanoTime() + ackTimeoutNanos;
        boolean turn =
                Uninterrupted.get(() -> commits.tryLock(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
        if (!turn && !warned.getAndSet(true)) {
            LOG.log(
                    Level.WARNING,
                    session + ": another commit of the session took longer than ackTimeout, so what this thread "
                            + "commits is left to the next one. Perhaps each waits for the other: some attributes "
                            + "lock their own monitor while they are encoded, and a thread in that monitor must not "
                            + "complete its response or change the session. This is logged once for each application",
                    new IllegalStateException("the thread that waited"));
        }
        return turn;
    }

    /** A change is about to be prepared: the outbox does not begin a pause if its request waits. */
    void announce(@Nullable Coherence override) {
        if (waits(override)) {
            hurry.run();
        }
    }

    /**
     * The commit of a change that is prepared, and sent next: waiting for credits counts against {@code ackTimeout}.
     *
     * @param before what others sent for the request; {@code null} if nothing
     * @param partial whether the request changed more than that, which a later commit sends: then it is degraded
     */
    Commit of(
            PendingAck outgoing,
            @Nullable CompletableFuture<AckResult> before,
            @Nullable Coherence override,
            boolean partial) {
        if (!waits(override)) {
            return notAwaited(outgoing);
        }
        CompletableFuture<AckResult> held = outgoing.held();
        return awaited(before == null ? held : held.thenCombine(before, AckResult::worse), partial);
    }

    /** The commit of a change that its request does not wait for. */
    Commit notAwaited(PendingAck outgoing) {
        return new Commit(SENT, outgoing.held());
    }

    /** The same for requests that may have shown it: what else its own request waits for is not theirs. */
    Commit forOthers(PendingAck outgoing, @Nullable Coherence override) {
        return waits(override) ? notCounted(outgoing.held()) : notAwaited(outgoing);
    }

    /** The commit of a change that a coherent request has to wait for, if it is not that which counts for its response. */
    Commit notCounted(CompletableFuture<AckResult> held) {
        return new Commit(new AwaitedOutcome(ackTimeoutNanos, CommitOutcomes::notCounted, held, false), held);
    }

    /** The same commit, for a coherent request that has to wait for it. */
    Commit awaited(Commit commit) {
        CompletableFuture<AckResult> held = commit.notAwaited();
        return held == null ? commit : awaited(held);
    }

    /** The commit of a change that a coherent request has to wait for. */
    Commit awaited(CompletableFuture<AckResult> held) {
        return awaited(held, false);
    }

    private Commit awaited(CompletableFuture<AckResult> held, boolean partial) {
        if (!held.isDone()) {
            hurry.run(); // Again: what was announced may have gone before this was put.
        }
        return new Commit(new AwaitedOutcome(ackTimeoutNanos, counts, held, partial), held);
    }

    /** The commit of a change that could not be made here, nor sent. */
    Commit degraded() {
        return degraded(Commit.NOTHING);
    }

    /** The same for a request that waits for others' changes. */
    Commit degraded(Commit others) {
        return new Commit(
                others.outcome().thenApply(outcome -> degradedAndCounted()).toCompletableFuture(), null);
    }

    private Outcome degradedAndCounted() {
        count(Outcome.DEGRADED);
        return Outcome.DEGRADED;
    }

    private static void notCounted(Outcome outcome) {
        // Its own request counts.
    }

    /** Without memory for it a count is missing, not an outcome. */
    private void count(Outcome outcome) {
        try {
            counted(outcome);
        } catch (Throwable e) {
            return;
        }
    }

    private void counted(Outcome outcome) {
        metrics.count(outcome.degraded() ? Counter.RESPONSES_DEGRADED : Counter.RESPONSES_ACKNOWLEDGED);
        if (outcome == Outcome.PARTLY) {
            metrics.count(Counter.RESPONSES_PARTLY_ACKNOWLEDGED);
        }
    }
}
