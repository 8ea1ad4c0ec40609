package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.member.LoopbackPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Coherent and incoherent nodes beside a member that is frozen or killed, until failure detection has removed it. */
@Tag("process")
@Timeout(1800)
class CoherenceWithFrozenMemberTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** A silence that failure detection lets pass. */
    private static final Duration TOLERATED = Duration.ofSeconds(3);

    /** How often a machine may stand still for so long, so that a silent member is rightly removed. */
    private static final int ATTEMPTS = 20;

    private final CoherenceNodes cluster = new CoherenceNodes();
    private final List<Understudy> nodes = cluster.nodes;
    private final List<ReplicatedSessions> sessions = cluster.sessions;
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private @Nullable LoopbackPeer peer;

    @AfterEach
    void close() throws IOException {
        pool.shutdownNow();
        cluster.close();
        if (peer != null) {
            peer.close();
        }
    }

    /** Nodes here, and one more member that can be frozen. */
    private LoopbackPeer startWithPeer(int count, Map<Setting, String> settings, Map<String, String> peers)
            throws IOException {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(count + 1, settings);
        configs.subList(0, count).forEach(cluster::add);
        LoopbackPeer started = LoopbackPeer.start(configs.get(count), peers);
        peer = started;
        nodes.forEach(node -> Await.until(
                LIMIT,
                () -> NodeFigures.view(node),
                () -> NodeFigures.view(node).contains(configs.get(count).nodeName())));
        Await.until(LIMIT, () -> cluster.write(0, "probe", 0, null), () -> {
            cluster.write(0, "probe", 1, Coherence.COHERENT);
            return cluster.atRisk("sessions") == 0;
        });
        return started;
    }

    /**
     * Freezes a member for a step that has to come before failure detection removes it. A step that fails and took too
     * long for that is made again, when the member is back.
     *
     * @param step gets its number, for sessions of its own
     */
    private void whileSilent(LoopbackPeer silent, IntConsumer step) {
        String all = "(" + (nodes.size() + 1) + ")";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long began = System.nanoTime();
            silent.freeze();
            try {
                step.accept(attempt);
                return;
            } catch (AssertionError e) {
                if (System.nanoTime() - began < TOLERATED.toNanos()) {
                    throw e;
                }
            }
            silent.thaw();
            nodes.forEach(node -> Await.until(
                    LIMIT,
                    () -> NodeFigures.view(node),
                    () -> NodeFigures.view(node).contains(all)));
            Await.until(LIMIT, () -> NodeFigures.momentary(nodes.get(0)), () -> cluster.atRisk("changes") == 0);
        }
        throw new AssertionError("the steps always took more than " + TOLERATED);
    }

    @Test
    void withOneAcknowledgementAskedForASilentMemberIsNotWaitedForButTracked() throws Exception {
        LoopbackPeer silent = startWithPeer(2, Map.of(Setting.ACKS, "one"), Map.of());
        whileSilent(silent, attempt -> {
            long before = nodes.get(0).metrics().value(Counter.RESPONSES_PARTLY_ACKNOWLEDGED);
            long degraded = nodes.get(0).metrics().value(Counter.RESPONSES_DEGRADED);
            // Had it waited until failure detection removed the silent member, all that are left would have
            // acknowledged.
            assertEquals(Outcome.PARTLY, cluster.write(0, "a" + attempt, 1, null));
            assertEquals(1, cluster.read(1, "a" + attempt));
            assertEquals(before + 1, nodes.get(0).metrics().value(Counter.RESPONSES_PARTLY_ACKNOWLEDGED));
            assertEquals(degraded + 1, nodes.get(0).metrics().value(Counter.RESPONSES_DEGRADED));
            assertEquals(1, cluster.atRisk("sessions"));
            assertEquals(1, cluster.atRisk("changes"));
        });
        silent.thaw();
        Await.until(LIMIT, () -> NodeFigures.momentary(nodes.get(0)), () -> cluster.atRisk("changes") == 0);
    }

    @Test
    void eachIncoherentChangeIsAtRiskWhenItsCommitReturns() throws Exception {
        LoopbackPeer silent = startWithPeer(1, Map.of(Setting.COHERENCE, "incoherent"), Map.of());
        whileSilent(silent, attempt -> {
            for (int i = 0; i < 50; i++) {
                assertEquals(Outcome.SENT, cluster.write(0, attempt + "-" + i % 10, i, null));
                assertEquals(i + 1, cluster.atRisk("changes"));
                assertEquals(Math.min(i + 1, 10), cluster.atRisk("sessions"));
            }
            // What waits for a silent member is joined by session: each of the 10 counts once.
            assertTrue(cluster.atRisk("bytes") > 10 * 20, "bytes: " + cluster.atRisk("bytes"));
        });
        silent.thaw();
        Await.until(LIMIT, () -> NodeFigures.momentary(nodes.get(0)), () -> cluster.atRisk("changes") == 0);
        assertEquals(0, cluster.atRisk("sessions"));
        assertEquals(0, cluster.atRisk("bytes"));
    }

    @Test
    void turningCoherentReturnsWhenASilentMemberHasLeft() throws Exception {
        LoopbackPeer silent = startWithPeer(2, Map.of(), Map.of());
        Understudy node = nodes.get(0);
        assertTrue(nodes.get(1).waitUntilClusterCoherent(LIMIT));
        node.setNodeCoherent(false);
        assertFalse(node.isNodeCoherent());
        assertFalse(nodes.get(1).isClusterCoherent(), "the others know when the call returns");
        assertTrue(nodes.get(1).isNodeCoherent());
        whileSilent(silent, attempt -> {
            for (int i = 0; i < 100; i++) {
                assertEquals(Outcome.SENT, cluster.write(0, "a", i, null));
            }
            assertTrue(cluster.atRisk("changes") >= 100, "the silent member holds none");
        });
        Future<?> turned = pool.submit(() -> node.setNodeCoherent(true));
        Future<Outcome> awaited = pool.submit(() -> {
            Outcome outcome = Outcome.SENT;
            for (int i = 0; outcome == Outcome.SENT; i++) {
                outcome = cluster.write(0, "b", i, null); // Not SENT any more while the node is turning.
            }
            return outcome;
        });
        Await.until(LIMIT, () -> NodeFigures.momentary(node), () -> {
            boolean coherent = node.isNodeCoherent();
            assertTrue(!coherent || cluster.atRisk("changes") == 0, "coherent too early");
            return turned.isDone();
        });
        turned.get();
        assertEquals(Outcome.ACKNOWLEDGED, awaited.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertTrue(node.isNodeCoherent());
        assertEquals(0, cluster.atRisk("changes"));
        assertEquals(99, cluster.read(1, "a"));
        assertTrue(nodes.get(1).isClusterCoherent(), "the others know when the call returns");
        awaitWithout("node3", node);
    }

    /** The view is shown when all parts of the node have taken it over, which is a little later. */
    private static void awaitWithout(String member, Understudy node) {
        Await.until(
                LIMIT,
                () -> NodeFigures.view(node),
                () -> !NodeFigures.view(node).contains(member));
    }

    @Test
    void anIncoherentNodeThatIsKilledOrLeavesGivesTheClusterItsCoherenceBack() throws Exception {
        LoopbackPeer bulk = startWithPeer(2, Map.of(), Map.of("coherence", "incoherent"));
        assertFalse(nodes.get(0).isClusterCoherent());
        assertFalse(nodes.get(0).waitUntilClusterCoherent(Duration.ofMillis(100)));
        bulk.kill();
        assertTrue(nodes.get(0).waitUntilClusterCoherent(LIMIT));
        awaitWithout("node3", nodes.get(0));
        nodes.get(1).setNodeCoherent(false);
        assertFalse(nodes.get(0).isClusterCoherent());
        Future<Boolean> waiting = pool.submit(() -> nodes.get(0).waitUntilClusterCoherent(LIMIT));
        nodes.get(1).close();
        assertTrue(waiting.get());
    }

    @Test
    void aCoherentReadWaitsForTheIncoherentChangeItMayShow() throws Exception {
        LoopbackPeer silent = startWithPeer(2, Map.of(), Map.of());
        AtomicReference<LiveSession> read = new AtomicReference<>();
        AtomicReference<Commit> last = new AtomicReference<>();
        whileSilent(silent, attempt -> {
            assertEquals(Outcome.SENT, cluster.write(0, "a" + attempt, 1, Coherence.INCOHERENT));
            LiveSession found = sessions.get(0).find("a" + attempt);
            assertNotNull(found);
            assertEquals(Outcome.UNCHANGED, found.commit(Coherence.INCOHERENT).await());
            Commit coherent = found.commit();
            assertTrue(coherent.pending());
            read.set(found);
            last.set(coherent);
        });
        LiveSession session = read.get();
        Commit coherent = last.get();
        assertEquals(Outcome.ACKNOWLEDGED, coherent.await(), "when the silent member has left");
        assertEquals(Outcome.UNCHANGED, session.commit().await());
    }
}
