package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Coherent and incoherent nodes, and what a request waits for. */
@Tag("cluster")
@Timeout(300)
class CoherenceClusterTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final CoherenceNodes cluster = new CoherenceNodes();
    private final List<Understudy> nodes = cluster.nodes;
    private final ExecutorService pool = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        pool.shutdownNow();
        cluster.close();
    }

    private void start(int count, Map<Setting, String> settings) {
        LoopbackCluster.configs(count, settings).forEach(cluster::add);
    }

    @Test
    void manyThreadsOnEachNodeCommitAtOnceAndAllAreAcknowledged() throws Exception {
        int threads = 128;
        int requests = 15;
        int shared = 16;
        start(3, Map.of());
        for (int i = 0; i < shared; i++) {
            cluster.write(0, "shared" + i, 0, null);
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
                        outcomes.merge(cluster.write(node, own, value, null), 1, Integer::sum);
                        sharedOutcomes.merge(cluster.write(node, common, value, null), 1, Integer::sum);
                    }
                    return null;
                }));
            }
        }
        begin.countDown();
        for (Future<?> done : work) {
            done.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertEquals(Map.of(Outcome.ACKNOWLEDGED, 3 * threads * requests), outcomes);
        // What another request of the node has sent, and had acknowledged, with its own change is not sent again.
        assertTrue(
                Set.of(Outcome.ACKNOWLEDGED, Outcome.UNCHANGED).containsAll(sharedOutcomes.keySet()),
                sharedOutcomes::toString);
        for (int node = 0; node < 3; node++) {
            assertEquals("own-0-0-" + requests, cluster.read(node, "own-0-0"));
            assertEquals(0, NodeFigures.momentary(nodes.get(node)).get("changes_at_risk"));
        }
    }

    @Test
    void everySessionIsAtRiskWhereNobodyElseIsReady() {
        start(2, Map.of());
        for (int i = 0; i < 10; i++) {
            cluster.write(0, "a" + i, "x".repeat(100), null);
        }
        // The first node may hear later than the second one that this is ready.
        Await.until(LIMIT, () -> NodeFigures.momentary(nodes.get(0)), () -> cluster.atRisk("sessions") == 0);
        nodes.get(1).close();
        Await.until(LIMIT, () -> NodeFigures.momentary(nodes.get(0)), () -> cluster.atRisk("sessions") == 10);
        assertTrue(cluster.atRisk("bytes") >= 1000, "bytes: " + cluster.atRisk("bytes"));
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
                assertTrue(GO_ON.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
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
        Future<Outcome> begun = pool.submit(() -> cluster.write(0, "a", new Slow(), null));
        assertTrue(Slow.ENCODING.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        nodes.get(0).setNodeCoherent(true);
        Slow.GO_ON.countDown();
        assertEquals(Outcome.ACKNOWLEDGED, begun.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void aRequestsOwnCoherenceComesBeforeTheNodesAndThatBeforeTheSetting() {
        start(2, Map.of(Setting.COHERENCE, "incoherent"));
        assertFalse(nodes.get(0).isNodeCoherent(), "as configured");
        assertEquals(Outcome.SENT, cluster.write(0, "a", 1, null));
        assertEquals(Outcome.ACKNOWLEDGED, cluster.write(0, "a", 2, Coherence.COHERENT));
        nodes.get(0).setNodeCoherent(true);
        assertEquals(Outcome.ACKNOWLEDGED, cluster.write(0, "a", 3, null));
        assertEquals(Outcome.SENT, cluster.write(0, "a", 4, Coherence.INCOHERENT));
        assertTrue(nodes.get(0).isNodeCoherent(), "what a request wants for itself is not the node's");
        assertFalse(nodes.get(0).isClusterCoherent(), "node2 is as configured");
    }

    @Test
    void applicationsOfOneNodeDifferInTheirCoherence() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        configs.forEach(cluster::add);
        UnderstudyConfig bulk =
                UnderstudyConfig.builder().coherence(Coherence.INCOHERENT).build();
        ReplicatedSessions loads = nodes.get(0).join("/bulk", getClass()::getClassLoader, bulk.application());
        assertEquals(Coherence.INCOHERENT, loads.config().coherence());
        assertEquals(configs.get(0).nodeName(), loads.config().nodeName());
        LiveSession session = loads.create("a", 1800);
        session.attributes().put("value", 1);
        assertEquals(Outcome.SENT, session.commit().await());
        assertEquals(Outcome.ACKNOWLEDGED, cluster.write(0, "a", 1, null));
        assertFalse(nodes.get(0).isNodeCoherent(), "one of its applications is not");
        loads.close();
        Await.until(
                LIMIT,
                () -> NodeFigures.momentary(nodes.get(0)),
                () -> nodes.get(0).isNodeCoherent());
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
