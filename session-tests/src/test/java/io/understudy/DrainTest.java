package io.understudy;

import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node that is about to be stopped. */
@Tag("cluster")
class DrainTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final Cluster cluster = Cluster.of(2, Map.of(Setting.COHERENCE, "incoherent"));

    @AfterEach
    void close() {
        cluster.close();
    }

    private CompletableFuture<DrainReceipt> begin() {
        CompletableFuture<DrainReceipt> receipt = Beside.get(() -> {
            try {
                return cluster.node(0).drain(LIMIT);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Await.until(
                LIMIT,
                cluster.node(0)::readiness,
                () -> !cluster.node(0).readiness().ready());
        return receipt;
    }

    private static void held(CompletableFuture<DrainReceipt> receipt) {
        assertThrows(TimeoutException.class, () -> receipt.get(2 * Drain.QUIET.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Test
    void itWaitsForTheRequestsInFlightAndTellsWhoHoldsTheSessions() throws Exception {
        LiveSession session = cluster.sessions(0).create("a", 1800);
        long ticket = session.enter();
        CompletableFuture<DrainReceipt> receipt = begin();
        assertEquals(
                "draining: the node is about to stop",
                cluster.node(0).readiness().reason());
        held(receipt);
        session.attributes().put("a", "b");
        session.commit();
        session.exit(ticket);
        DrainReceipt drained = receipt.get();
        assertTrue(drained.complete(), drained::toString);
        assertEquals(1, drained.sessions());
        assertEquals(0, drained.bytesAtRisk());
        assertEquals(
                Map.of(
                        cluster.sessions(0).application(),
                        List.of(cluster.node(1).config().nodeName())),
                drained.holders());
        cluster.node(0).close();
        assertEquals(Map.of("a", Map.of("a", "b")), cluster.held(1));
    }

    @Test
    void itWaitsUntilOthersHoldWhatItSent() throws Exception {
        CompletableFuture<DrainReceipt> receipt;
        try (Fault silence = cluster.pause(1)) {
            put(cluster.sessions(0).create("a", 1800), "a", "b");
            receipt = begin();
            held(receipt);
            assertFalse(receipt.isDone(), silence::toString);
        }
        assertTrue(receipt.get().complete(), () -> receipt.join().toString());
    }

    @Test
    void aNodeThatIsAloneIsNotDrained() throws Exception {
        cluster.node(1).close();
        cluster.awaitView(0, 1);
        put(cluster.sessions(0).create("a", 1800), "a", "b");
        DrainReceipt receipt = cluster.node(0).drain(Duration.ofMillis(1500));
        assertFalse(receipt.complete(), receipt::toString);
        assertEquals(1, receipt.sessionsAtRisk());
        assertEquals(List.of(), receipt.holders().get(cluster.sessions(0).application()));
    }

    @Test
    void aDrainThatIsTakenBackReturnsAsNotComplete() throws Exception {
        LiveSession session = cluster.sessions(0).create("a", 1800);
        long ticket = session.enter();
        CompletableFuture<DrainReceipt> receipt = begin();
        cluster.node(0).undrain();
        assertFalse(receipt.get().complete(), () -> receipt.join().toString());
        assertTrue(cluster.node(0).readiness().ready(), cluster.node(0).readiness()::reason);
        session.commit();
        session.exit(ticket);
        assertTrue(cluster.node(0).drain(LIMIT).complete(), "it can be drained again");
    }
}
