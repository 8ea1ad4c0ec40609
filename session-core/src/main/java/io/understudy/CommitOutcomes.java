package io.understudy;

import io.understudy.Commit.Outcome;
import io.understudy.cluster.ClusterChannel;
import io.understudy.cluster.Held;
import io.understudy.cluster.Outgoing;
import io.understudy.config.Coherence;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Which commits of one application are awaited, and how they end. Threads: any. */
final class CommitOutcomes {

    private final UnderstudyConfig config;
    private final ClusterChannel channel;
    private final ReplicationMetrics metrics;

    CommitOutcomes(UnderstudyConfig config, ClusterChannel channel, ReplicationMetrics metrics) {
        this.config = config;
        this.channel = channel;
        this.metrics = metrics;
    }

    /**
     * Whether a commit is awaited: the request's own word counts first, then the node's, then the setting. To be asked
     * after the change was prepared: then a node that turns coherent waits for it, or it waits itself.
     */
    boolean waits(@Nullable Coherence override) {
        Coherence node = channel.mode();
        return (override != null ? override : node != null ? node : config.coherence()) == Coherence.COHERENT;
    }

    /**
     * The commit of a change that is prepared, and sent next: waiting for credits counts against {@code ackTimeout}.
     *
     * @param partial whether the request changed more than that, which a later commit sends: then it is degraded
     */
    Commit of(Outgoing outgoing, @Nullable Coherence override, boolean partial) {
        return waits(override)
                ? awaited(outgoing.held(), partial)
                : new Commit(CompletableFuture.completedFuture(Outcome.SENT), outgoing.held());
    }

    /** The commit of a change that a coherent request has to wait for. */
    Commit awaited(CompletableFuture<Held> held) {
        return awaited(held, false);
    }

    private Commit awaited(CompletableFuture<Held> held, boolean partial) {
        return new Commit(
                held.thenApply(CommitOutcomes::outcome)
                        .completeOnTimeout(Outcome.DEGRADED, config.ackTimeout().toMillis(), TimeUnit.MILLISECONDS)
                        .thenApply(outcome -> counted(partial ? Outcome.DEGRADED : outcome)),
                null);
    }

    /** The commit of a change that could not be made here, nor sent. */
    Commit degraded() {
        return degraded(Commit.NOTHING);
    }

    /** The same for a request that waits for others' changes. */
    Commit degraded(Commit others) {
        return new Commit(
                others.outcome().thenApply(outcome -> counted(Outcome.DEGRADED)).toCompletableFuture(), null);
    }

    private static Outcome outcome(Held held) {
        return switch (held) {
            case ALL -> Outcome.ACKNOWLEDGED;
            case ENOUGH -> Outcome.PARTLY;
            case FEW, NONE -> Outcome.DEGRADED;
        };
    }

    private Outcome counted(Outcome outcome) {
        metrics.count(outcome.degraded() ? Counter.RESPONSES_DEGRADED : Counter.RESPONSES_ACKNOWLEDGED);
        if (outcome == Outcome.PARTLY) {
            metrics.count(Counter.RESPONSES_PARTLY_ACKNOWLEDGED);
        }
        return outcome;
    }
}
