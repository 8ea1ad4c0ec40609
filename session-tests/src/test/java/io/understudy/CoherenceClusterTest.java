package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.Commit.Outcome;
import io.understudy.config.Coherence;
import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.LoopbackPeer;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Coherent and incoherent nodes, with members that are slow, silent or dead. */
@Tag("cluster")
@Timeout(120)
class CoherenceClusterTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Failure detection takes 3 to 4 seconds; what is not told to wait for it is far quicker. */
    private static final Duration BEFORE_FAILURE_DETECTION = Duration.ofMillis(2500);

    private final List<Understudy> nodes = new ArrayList<>();
    private final List<ReplicatedSessions> sessions = new ArrayList<>();
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private @Nullable LoopbackPeer peer;

    @AfterEach
    void close() throws IOException {
        pool.shutdownNow();
        nodes.forEach(Understudy::close);
        if (peer != null) {
            peer.close();
        }
    }

    private void add(UnderstudyConfig config) {
        Understudy node = NodeStart.start(config);
        nodes.add(node);
        sessions.add(node.join("/shop", getClass()::getClassLoader));
        Await.until(LIMIT, node::readiness, () -> node.readiness().ready());
    }

    private void start(int count, Map<Setting, String> settings) {
        LoopbackCluster.configs(count, settings).forEach(this::add);
    }

    /** Nodes here, and one more member that can be frozen. */
    private LoopbackPeer startWithPeer(int count, Map<Setting, String> settings, Map<String, String> peers)
            throws IOException {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(count + 1, settings);
        configs.subList(0, count).forEach(this::add);
        LoopbackPeer started = LoopbackPeer.start(configs.get(count), peers);
        peer = started;
        nodes.forEach(node -> Await.until(
                LIMIT, node::view, () -> node.view().contains(configs.get(count).nodeName())));
        Await.until(LIMIT, () -> write(0, "probe", 0, null), () -> {
            write(0, "probe", 1, Coherence.COHERENT);
            return nodes.get(0).gauges().get("sessions_at_risk") == 0;
        });
        return started;
    }

    private Outcome write(int node, String id, Object value, @Nullable Coherence coherence) {
        LiveSession found = sessions.get(node).find(id);
        LiveSession session = found == null ? sessions.get(node).create(id, 1800) : found;
        long ticket = session.enter();
        try {
            session.attributes().put("value", value);
            return session.commit(coherence).await();
        } finally {
            session.exit(ticket);
        }
    }

    private @Nullable Object read(int node, String id) {
        LiveSession session = sessions.get(node).find(id);
        return session == null ? null : session.attributes().get("value");
    }

    private long atRisk(String what) {
        return Objects.requireNonNull(nodes.get(0).gauges().get(what + "_at_risk"));
    }

    @Test
    void manyThreadsOnEachNodeCommitAtOnceAndAllAreAcknowledged() throws Exception {
        int threads = 128;
        int requests = 15;
        int shared = 16;
        start(3, Map.of());
        for (int i = 0; i < shared; i++) {
            write(0, "shared" + i, 0, null);
        }
        CountDownLatch begin = new CountDownLatch(1);
        Map<Outcome, Integer> outcomes = new ConcurrentHashMap<>();
        Map<Outcome, Integer> sharedOutcomes = new ConcurrentHashMap<>();
        List<Future<?>> work = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            int node = n;
            for (int t = 0; t < threads; t++) {
                String own = "own-" + node + "-" + t;
                String common = "shared" + t % shared;
                work.add(pool.submit(() -> {
                    begin.await();
                    for (int i = 1; i <= requests; i++) {
                        String value = own + "-" + i; // Different ones, as equal ones need not be sent.
                        outcomes.merge(write(node, own, value, null), 1, Integer::sum);
                        sharedOutcomes.merge(write(node, common, value, null), 1, Integer::sum);
                    }
                    return null;
                }));
            }
        }
        begin.countDown();
        for (Future<?> done : work) {
            done.get(60, TimeUnit.SECONDS);
        }
        assertEquals(Map.of(Outcome.ACKNOWLEDGED, 3 * threads * requests), outcomes);
        // What another request of the node has sent, and had acknowledged, with its own change is not sent again.
        assertTrue(
                Set.of(Outcome.ACKNOWLEDGED, Outcome.UNCHANGED).containsAll(sharedOutcomes.keySet()),
                sharedOutcomes::toString);
        for (int node = 0; node < 3; node++) {
            assertEquals("own-0-0-" + requests, read(node, "own-0-0"));
            assertEquals(0, nodes.get(node).gauges().get("changes_at_risk"));
        }
    }

    @Test
    void withOneAcknowledgementAskedForASilentMemberIsNotWaitedForButTracked() throws Exception {
        LoopbackPeer silent = startWithPeer(2, Map.of(Setting.ACKS, "one"), Map.of());
        silent.freeze();
        long before = nodes.get(0).metrics().value(Counter.RESPONSES_PARTLY_ACKNOWLEDGED);
        long degraded = nodes.get(0).metrics().value(Counter.RESPONSES_DEGRADED);
        long begin = System.nanoTime();
        assertEquals(Outcome.PARTLY, write(0, "a", 1, null));
        assertTrue(System.nanoTime() - begin < BEFORE_FAILURE_DETECTION.toNanos(), "it did not wait");
        assertEquals(1, read(1, "a"));
        assertEquals(before + 1, nodes.get(0).metrics().value(Counter.RESPONSES_PARTLY_ACKNOWLEDGED));
        assertEquals(degraded + 1, nodes.get(0).metrics().value(Counter.RESPONSES_DEGRADED));
        assertEquals(1, atRisk("sessions"));
        assertEquals(1, atRisk("changes"));
        silent.thaw();
        Await.until(LIMIT, nodes.get(0)::gauges, () -> atRisk("changes") == 0);
    }

    @Test
    void eachIncoherentChangeIsAtRiskWhenItsCommitReturns() throws Exception {
        LoopbackPeer silent = startWithPeer(1, Map.of(Setting.COHERENCE, "incoherent"), Map.of());
        silent.freeze();
        for (int i = 0; i < 50; i++) {
            assertEquals(Outcome.SENT, write(0, "a" + i % 10, i, null));
            assertEquals(i + 1, atRisk("changes"));
            assertEquals(Math.min(i + 1, 10), atRisk("sessions"));
        }
        // What waits for a silent member is joined by session: each of the 10 counts once.
        assertTrue(atRisk("bytes") > 10 * 20, "bytes: " + atRisk("bytes"));
        silent.thaw();
        Await.until(LIMIT, nodes.get(0)::gauges, () -> atRisk("changes") == 0);
        assertEquals(0, atRisk("sessions"));
        assertEquals(0, atRisk("bytes"));
    }

    @Test
    void everySessionIsAtRiskWhereNobodyElseIsReady() {
        start(2, Map.of());
        for (int i = 0; i < 10; i++) {
            write(0, "a" + i, "x".repeat(100), null);
        }
        assertEquals(0, atRisk("sessions"));
        nodes.get(1).close();
        Await.until(LIMIT, nodes.get(0)::gauges, () -> atRisk("sessions") == 10);
        assertTrue(atRisk("bytes") >= 1000, "bytes: " + atRisk("bytes"));
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
        silent.freeze();
        for (int i = 0; i < 100; i++) {
            assertEquals(Outcome.SENT, write(0, "a", i, null));
        }
        assertTrue(atRisk("changes") >= 100, "the silent member holds none");
        Future<?> turned = pool.submit(() -> node.setNodeCoherent(true));
        Future<Outcome> awaited = pool.submit(() -> {
            Outcome outcome = Outcome.SENT;
            for (int i = 0; outcome == Outcome.SENT; i++) {
                outcome = write(0, "b", i, null); // Not SENT any more while the node is turning.
            }
            return outcome;
        });
        Await.until(LIMIT, node::gauges, () -> {
            boolean coherent = node.isNodeCoherent();
            assertTrue(!coherent || atRisk("changes") == 0, "coherent too early");
            return turned.isDone();
        });
        turned.get();
        assertEquals(Outcome.ACKNOWLEDGED, awaited.get(30, TimeUnit.SECONDS));
        assertTrue(node.isNodeCoherent());
        assertEquals(0, atRisk("changes"));
        assertEquals(99, read(1, "a"));
        assertTrue(nodes.get(1).isClusterCoherent(), "the others know when the call returns");
        assertFalse(node.view().contains("node3"), node.view());
    }

    /** Encoding it takes as long as the test likes. */
    static final class Slow implements Externalizable {

        private static final long serialVersionUID = 1L;

        static final CountDownLatch ENCODING = new CountDownLatch(1);
        static final CountDownLatch GO_ON = new CountDownLatch(1);

        public Slow() {}

        @Override
        public void writeExternal(ObjectOutput out) {
            ENCODING.countDown();
            try {
                assertTrue(GO_ON.await(60, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void readExternal(ObjectInput in) {}
    }

    /** It is too late to be waited for by the turn, so it has to wait itself. */
    @Test
    void aCommitThatBeganBeforeTheNodeTurnedCoherentWaits() throws Exception {
        start(2, Map.of());
        nodes.get(0).setNodeCoherent(false);
        Future<Outcome> begun = pool.submit(() -> write(0, "a", new Slow(), null));
        assertTrue(Slow.ENCODING.await(30, TimeUnit.SECONDS));
        nodes.get(0).setNodeCoherent(true);
        Slow.GO_ON.countDown();
        assertEquals(Outcome.ACKNOWLEDGED, begun.get(30, TimeUnit.SECONDS));
    }

    @Test
    void anIncoherentNodeThatIsKilledOrLeavesGivesTheClusterItsCoherenceBack() throws Exception {
        LoopbackPeer bulk = startWithPeer(2, Map.of(), Map.of("coherence", "incoherent"));
        assertFalse(nodes.get(0).isClusterCoherent());
        assertFalse(nodes.get(0).waitUntilClusterCoherent(Duration.ofMillis(100)));
        bulk.kill();
        assertTrue(nodes.get(0).waitUntilClusterCoherent(LIMIT));
        // The view is shown when all parts of the node have taken it over, which is a little later.
        Await.until(LIMIT, nodes.get(0)::view, () -> !nodes.get(0).view().contains("node3"));
        nodes.get(1).setNodeCoherent(false);
        assertFalse(nodes.get(0).isClusterCoherent());
        Future<Boolean> waiting = pool.submit(() -> nodes.get(0).waitUntilClusterCoherent(LIMIT));
        nodes.get(1).close();
        assertTrue(waiting.get());
    }

    @Test
    void aRequestsOwnCoherenceComesBeforeTheNodesAndThatBeforeTheSetting() {
        start(2, Map.of(Setting.COHERENCE, "incoherent"));
        assertFalse(nodes.get(0).isNodeCoherent(), "as configured");
        assertEquals(Outcome.SENT, write(0, "a", 1, null));
        assertEquals(Outcome.ACKNOWLEDGED, write(0, "a", 2, Coherence.COHERENT));
        nodes.get(0).setNodeCoherent(true);
        assertEquals(Outcome.ACKNOWLEDGED, write(0, "a", 3, null));
        assertEquals(Outcome.SENT, write(0, "a", 4, Coherence.INCOHERENT));
        assertTrue(nodes.get(0).isNodeCoherent(), "what a request wants for itself is not the node's");
        assertFalse(nodes.get(0).isClusterCoherent(), "node2 is as configured");
    }

    @Test
    void aCoherentReadWaitsForTheIncoherentChangeItMayShow() throws Exception {
        LoopbackPeer silent = startWithPeer(2, Map.of(), Map.of());
        silent.freeze();
        assertEquals(Outcome.SENT, write(0, "a", 1, Coherence.INCOHERENT));
        LiveSession session = sessions.get(0).find("a");
        assertNotNull(session);
        assertEquals(Outcome.UNCHANGED, session.commit(Coherence.INCOHERENT).await());
        Commit coherent = session.commit();
        assertTrue(coherent.pending());
        assertEquals(Outcome.ACKNOWLEDGED, coherent.await(), "when the silent member has left");
        assertEquals(Outcome.UNCHANGED, session.commit().await());
    }

    @Test
    void applicationsOfOneNodeDifferInTheirCoherence() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        configs.forEach(this::add);
        UnderstudyConfig bulk =
                UnderstudyConfig.builder().coherence(Coherence.INCOHERENT).build();
        ReplicatedSessions loads = nodes.get(0).join("/bulk", getClass()::getClassLoader, bulk.application());
        assertEquals(Coherence.INCOHERENT, loads.config().coherence());
        assertEquals(configs.get(0).nodeName(), loads.config().nodeName());
        LiveSession session = loads.create("a", 1800);
        session.attributes().put("value", 1);
        assertEquals(Outcome.SENT, session.commit().await());
        assertEquals(Outcome.ACKNOWLEDGED, write(0, "a", 1, null));
        assertFalse(nodes.get(0).isNodeCoherent(), "one of its applications is not");
        loads.close();
        Await.until(LIMIT, nodes.get(0)::gauges, () -> nodes.get(0).isNodeCoherent());
    }

    @Test
    void aSharedNodeRefusesOtherSettingsOfTheNodeOnly() {
        UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
        UnderstudyConfig other = config.with(UnderstudyConfig.fromProperties(Map.of("acks", "one", "ackTimeout", "1s"))
                .application());
        try (Understudy first = Understudy.shared(config);
                Understudy second = Understudy.shared(other)) {
            assertEquals(first, second);
            UnderstudyConfig elsewhere = UnderstudyConfig.builder()
                    .clusterName(config.clusterName())
                    .bind("127.0.0.1", config.bindPort() + 1)
                    .build();
            String message = assertThrows(ConfigException.class, () -> Understudy.shared(elsewhere))
                    .getMessage();
            assertTrue(
                    message.contains(
                            "expected bindPort = '" + config.bindPort() + "', got '" + elsewhere.bindPort() + "'"),
                    message);
            assertFalse(message.contains("touchInterval"), "what is the same is not said: " + message);
        }
    }

    @Test
    void allOfItIsThereByJmx() throws Exception {
        start(2, Map.of());
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.understudy:type=Node,cluster="
                + ObjectName.quote(nodes.get(0).config().clusterName()) + ",node="
                + ObjectName.quote(nodes.get(0).config().nodeName()));
        assertTrue(nodes.get(0).waitUntilClusterCoherent(LIMIT));
        assertEquals(true, beans.getAttribute(name, "NodeCoherent"));
        beans.setAttribute(name, new Attribute("NodeCoherent", false));
        assertFalse(nodes.get(0).isNodeCoherent());
        assertEquals(false, beans.getAttribute(name, "ClusterCoherent"));
        assertEquals(false, waitByJmx(beans, name, 10));
        beans.setAttribute(name, new Attribute("NodeCoherent", true));
        assertEquals(true, waitByJmx(beans, name, 10_000));
        assertEquals(0L, beans.getAttribute(name, "ChangesAtRisk"));
    }

    private static Object waitByJmx(MBeanServer beans, ObjectName name, long millis) throws Exception {
        return beans.invoke(
                name, "waitUntilClusterCoherent", new Object[] {millis}, new String[] {long.class.getName()});
    }
}
