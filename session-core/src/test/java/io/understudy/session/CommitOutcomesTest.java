package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.cluster.delivery.PendingAck;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.session.Commit.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class CommitOutcomesTest {

    private final AtomicInteger hurries = new AtomicInteger();
    private final CompletableFuture<AckResult> held = new CompletableFuture<>();
    private final CommitOutcomes outcomes = new CommitOutcomes(
            UnderstudyConfig.builder().clusterName("shop").build(),
            () -> null,
            hurries::incrementAndGet,
            new ReplicationMetrics());

    @Test
    void whatARequestWaitsForIsSentAtOnce() {
        outcomes.announce(Coherence.COHERENT);
        assertEquals(1, hurries.get());
        Commit commit = outcomes.of(new PendingAck(held, true), null, Coherence.COHERENT, false);
        assertEquals(2, hurries.get());
        held.complete(AckResult.ALL);
        assertEquals(Outcome.ACKNOWLEDGED, commit.await());
    }

    @Test
    void whatNobodyWaitsForIsNot() {
        outcomes.announce(Coherence.INCOHERENT);
        Commit commit = outcomes.of(new PendingAck(held, true), null, Coherence.INCOHERENT, false);
        assertEquals(Outcome.SENT, commit.await());
        assertEquals(0, hurries.get());
    }

    /** The change of another request, which it may have shown. */
    @Test
    void aChangeThatALaterRequestWaitsForIsSentAtOnce() {
        Commit commit = outcomes.awaited(held);
        assertEquals(1, hurries.get());
        held.complete(AckResult.ALL);
        assertEquals(Outcome.ACKNOWLEDGED, commit.await());
    }
}
