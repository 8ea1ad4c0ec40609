package io.understudy.session;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.understudy.NodeFigures;
import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionReplica;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several nodes in this JVM, over real channels on loopback. */
@Tag("cluster")
class ReplicationClusterTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final List<Understudy> nodes = new ArrayList<>();
    private final List<ReplicatedSessions> sessions = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(Understudy::close);
    }

    private void start(int count, Map<Setting, String> settings) {
        LoopbackCluster.configs(count, settings).forEach(this::add);
    }

    private void add(UnderstudyConfig config) {
        Understudy node = NodeStart.start(config);
        nodes.add(node);
        sessions.add(node.join("/shop", getClass()::getClassLoader));
        Await.until(LIMIT, node::readiness, () -> node.readiness().ready());
        Await.that("the others know that it is ready", () -> NodeFigures.knownReady(node, "/shop", nodes));
    }

    private LiveSession on(int node, String id) {
        return find(sessions.get(node), id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void acknowledgedChangesAreOnEveryNodeAtOnce(String transport) {
        start(
                3,
                Map.of(
                        Setting.TRANSPORT,
                        transport,
                        Setting.MULTICAST_PORT,
                        String.valueOf(LoopbackCluster.freePorts(1).get(0))));
        LiveSession session = sessions.get(0).create("a", 1800);
        for (int i = 0; i < 200; i++) {
            int count = i;
            assertEquals(
                    Outcome.ACKNOWLEDGED,
                    use(session, () -> session.attributes().put("count", count)));
            for (int node = 1; node < 3; node++) {
                assertEquals(count, on(node, "a").attributes().get("count"), transport);
            }
        }
    }

    @Test
    void mutationInPlaceTravelsWithoutSetAttribute() {
        start(2, Map.of());
        LiveSession onA = sessions.get(0).create("a", 1800);
        use(onA, () -> onA.attributes().put("cart", new ArrayList<>(List.of("tea"))));
        LiveSession onB = on(1, "a");
        assertEquals(Outcome.ACKNOWLEDGED, use(onB, () -> cart(onB).add("cup")));
        assertEquals(List.of("tea", "cup"), cart(onA));
        assertEquals(1, nodes.get(1).metrics().value(Counter.ATTRIBUTES_CHANGED_IN_PLACE));
    }

    @SuppressWarnings("unchecked")
    private static List<String> cart(LiveSession session) {
        return (List<String>) session.attributes().get("cart");
    }

    @Test
    void plainReadDuringAWriteElsewhereUndoesNothing() {
        start(2, Map.of());
        LiveSession onA = sessions.get(0).create("a", 1800);
        use(onA, () -> onA.attributes().put("cart", new ArrayList<>(List.of("tea"))));
        LiveSession onB = on(1, "a");
        Outcome outcome = use(onB, () -> {
            assertEquals(List.of("tea"), cart(onB));
            use(onA, () -> cart(onA).add("cup"));
            assertEquals(List.of("tea"), cart(onB), "what a running request has read stays");
        });
        assertEquals(Outcome.UNCHANGED, outcome);
        assertEquals(List.of("tea", "cup"), cart(onA));
        assertEquals(List.of("tea", "cup"), cart(onB));
    }

    @Test
    void readingSendsNothing() {
        start(2, Map.of());
        LiveSession session = sessions.get(0).create("a", 1800);
        Set<String> set = new HashSet<>(Set.of("a", "b", "c"));
        use(session, () -> session.attributes().put("set", set));
        long sent = nodes.get(0).metrics().value(Counter.DELTAS_SENT);
        for (int i = 0; i < 100; i++) {
            assertEquals(
                    Outcome.UNCHANGED, use(session, () -> session.attributes().get("set")));
        }
        assertEquals(sent, nodes.get(0).metrics().value(Counter.DELTAS_SENT));
    }

    @Test
    void whatTheContainerKeepsIsNotSeenByTheApplication() {
        start(2, Map.of());
        LiveSession onA = sessions.get(0).create("a", 1800);
        use(onA, () -> {
            onA.attributes().put("colour", "red");
            onA.containerAttributes().put("login", new ArrayList<>(List.of("ann")));
        });
        LiveSession onB = on(1, "a");
        assertEquals(Set.of("colour"), onB.attributes().keySet());
        assertEquals(Set.of("login"), onB.containerAttributes().keySet());
        assertNull(onB.attributes().get(SessionReplica.CONTAINER + "login"));
        assertNull(onB.attributes().remove(SessionReplica.CONTAINER + "login"));
        assertThrows(
                IllegalArgumentException.class, () -> onB.attributes().put(SessionReplica.CONTAINER + "login", "eve"));
        assertEquals(
                Outcome.UNCHANGED,
                use(
                        onB,
                        () -> assertEquals(
                                List.of("ann"), onB.containerAttributes().get("login"))));
        assertEquals(0, nodes.get(1).metrics().value(Counter.ATTRIBUTES_COMPARED));
        use(onB, () -> onB.containerAttributes().remove("login"));
        assertEquals(Set.of(), on(0, "a").containerAttributes().keySet());
        assertEquals(Map.of("colour", "red"), on(0, "a").attributes());
    }

    @Test
    void renamedSessionKeepsItsAttributesAndTheOldIdIsRefused() {
        start(2, Map.of());
        LiveSession session = sessions.get(0).create("old", 1800);
        use(session, () -> session.attributes().put("user", "ann"));
        assertEquals(Outcome.ACKNOWLEDGED, session.rename("new").await());
        for (ReplicatedSessions node : sessions) {
            assertNull(node.find("old"));
        }
        assertEquals("ann", on(1, "new").attributes().get("user"));
        assertEquals(session.key(), on(1, "new").key());
    }

    @Test
    void invalidatedSessionNeverComesBack() {
        start(2, Map.of());
        LiveSession onA = sessions.get(0).create("a", 1800);
        use(onA, () -> onA.attributes().put("user", "ann"));
        LiveSession onB = on(1, "a");
        long ticket = onB.enter();
        onB.attributes().put("late", "write");
        assertEquals(Outcome.ACKNOWLEDGED, onA.invalidate().await());
        assertFalse(onB.valid());
        assertEquals(Outcome.UNCHANGED, onB.commit().await());
        onB.exit(ticket);
        assertNull(sessions.get(0).find("a"));
        assertNull(sessions.get(1).find("a"));
        assertEquals(Outcome.UNCHANGED, onB.invalidate().await());
    }

    @Test
    void joinerHoldsAllSessionsWhenItIsReady() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(3);
        add(configs.get(0));
        add(configs.get(1));
        for (int i = 0; i < 2000; i++) {
            LiveSession session = sessions.get(i % 2).create("s" + i, 1800);
            int value = i;
            use(session, () -> session.attributes().put("value", value));
        }
        sessions.get(0).find("s7").invalidate().await();
        add(configs.get(2));
        assertEquals(1999, sessions.get(2).ids().size());
        assertNull(sessions.get(2).find("s7"));
        for (int i = 8; i < 2000; i++) {
            assertEquals(i, on(2, "s" + i).attributes().get("value"));
        }
    }

    @Test
    void nodeThatIsNotReadyFetchesASessionOrSaysItCannot() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, Map.of(Setting.START_ALONE, "wait 1h"));
        Understudy lonely = NodeStart.start(configs.get(0));
        nodes.add(lonely);
        ReplicatedSessions waiting = lonely.join("/shop", getClass()::getClassLoader);
        assertEquals(Admission.UNAVAILABLE, waiting.admit("a"));
        assertFalse(lonely.readiness().ready());
        Await.until(LIMIT, lonely::readiness, () -> lonely.readiness().reason().contains("another member"));
    }

    @Test
    void aloneIsDegradedAndNotSilent() {
        start(1, Map.of());
        LiveSession session = sessions.get(0).create("a", 1800);
        assertEquals(Outcome.DEGRADED, use(session, () -> session.attributes().put("x", 1)));
        assertEquals(1, nodes.get(0).metrics().value(Counter.RESPONSES_DEGRADED));
    }

    @Test
    void attributeThatCannotBeEncodedStaysLocalAndTheRestGoesOn() {
        start(2, Map.of());
        LiveSession session = sessions.get(0).create("a", 1800);
        Object thread = new Object() {
            @SuppressWarnings("unused")
            private final Thread field = Thread.currentThread();
        };
        Outcome outcome = use(session, () -> {
            session.attributes().put("bad", thread);
            session.attributes().put("good", "value");
        });
        assertEquals(Outcome.ACKNOWLEDGED, outcome);
        assertSame(thread, session.attributes().get("bad"));
        assertEquals(Set.of("good"), on(1, "a").attributes().keySet());
        assertEquals(1, nodes.get(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED));
    }

    @Test
    void ownerExpiresAndNobodyElseDoes() {
        start(2, Map.of(Setting.TOUCH_INTERVAL, "50ms"));
        LiveSession session = sessions.get(0).create("a", 1);
        use(session, () -> session.attributes().put("x", 1));
        Await.until(
                LIMIT, session::idleMillis, () -> !sessions.get(0).expirable().isEmpty());
        assertTrue(sessions.get(1).expirable().isEmpty(), "only the owner expires");
        sessions.get(0).expirable().get(0).expire().await();
        assertNull(sessions.get(0).find("a"));
        assertNull(sessions.get(1).find("a"));
    }

    @Test
    void useElsewhereMovesTheOwner() {
        start(2, Map.of(Setting.TOUCH_INTERVAL, "50ms"));
        LiveSession onA = sessions.get(0).create("a", 1);
        use(onA, () -> onA.attributes().put("x", 1));
        LiveSession onB = on(1, "a");
        use(onB, () -> onB.attributes().get("x"));
        Await.until(LIMIT, onB::idleMillis, () -> !sessions.get(1).expirable().isEmpty());
        assertTrue(sessions.get(0).expirable().isEmpty());
    }

    @Test
    void largeSessionIsSentInParts() {
        start(2, Map.of());
        LiveSession session = sessions.get(0).create("a", 1800);
        Outcome outcome = use(session, () -> {
            for (int i = 0; i < 12; i++) {
                session.attributes().put("blob" + i, new byte[900_000]);
            }
        });
        assertEquals(Outcome.ACKNOWLEDGED, outcome);
        assertEquals(12, on(1, "a").attributes().size());
    }

    @Test
    void takenPortIsNamed() throws Exception {
        UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
        try (ServerSocket taken = new ServerSocket(config.bindPort(), 1, config.bindAddress())) {
            ConfigException e = assertThrows(ConfigException.class, () -> Understudy.start(config));
            assertTrue(e.getMessage().contains("127.0.0.1:" + taken.getLocalPort()), e.getMessage());
            assertTrue(e.getMessage().contains("bindPort"), e.getMessage());
        }
    }

    @Test
    @Timeout(300)
    void memberThatLeavesTheApplicationIsNotWaitedFor() {
        // Nobody waits for as long as that.
        start(2, Map.of(Setting.ACK_TIMEOUT, "1h", Setting.RETAIN_UNDEPLOYED, "0s"));
        LiveSession session = sessions.get(0).create("a", 1800);
        use(session, () -> session.attributes().put("x", 1));
        sessions.get(1).close();
        assertEquals(Outcome.DEGRADED, use(session, () -> session.attributes().put("x", 2)));
    }

    /** How a write and the union meet is chance: on their way to the other node they may be one message, or two. */
    @Test
    void aWriteInFlightOnASessionThatIsUnitedWithAnEarlierOneIsKept() {
        start(2, Map.of());
        for (int i = 0; i < 300; i++) {
            keepsWritesOfBoth("a" + i, i + 1L);
        }
    }

    private void keepsWritesOfBoth(String id, long count) {
        LiveSession earlier = sessions.get(0).create(id, 1800);
        LiveSession later = sessions.get(1).create(id, 1800);
        use(later, () -> later.attributes().putAll(Map.of("x", 1, "over", 4)));
        long ticket = later.enter();
        later.attributes().put("late", 2);
        boolean removed = later.attributes().remove("over") != null; // Not if they were united before that.
        assertEquals(
                Outcome.ACKNOWLEDGED, use(earlier, () -> earlier.attributes().put("y", 3)));
        Await.until(
                LIMIT,
                () -> "not united",
                () -> on(0, id).key().equals(on(1, id).key())
                        && NodeFigures.momentary(nodes.get(0)).getOrDefault("sessions", 0L) == count
                        && NodeFigures.momentary(nodes.get(1)).getOrDefault("sessions", 0L) == count);
        assertEquals(Outcome.ACKNOWLEDGED, later.commit().await());
        later.exit(ticket);
        Map<String, Integer> written = Map.of("x", 1, "late", 2, "y", 3);
        Map<String, Integer> all = Map.of("x", 1, "late", 2, "y", 3, "over", 4);
        for (int node = 0; node < 2; node++) {
            assertEquals(removed ? written : all, Map.copyOf(on(node, id).attributes()), id);
        }
    }

    @Test
    void nodeThatIsStoppedLeavesItsSessionsToTheOthers() {
        start(2, Map.of());
        LiveSession session = sessions.get(0).create("a", 1800);
        use(session, () -> session.attributes().put("user", "ann"));
        nodes.remove(0).close();
        assertEquals("ann", on(1, "a").attributes().get("user"));
        LiveSession onB = on(1, "a");
        assertEquals(Outcome.DEGRADED, use(onB, () -> onB.attributes().put("user", "bob")));
    }

    @Test
    void requestsThatAlwaysOverlapStillSeeOtherNodesWrites() {
        start(2, Map.of());
        LiveSession onA = sessions.get(0).create("a", 1800);
        use(onA, () -> onA.attributes().put("cart", new ArrayList<>(List.of("tea"))));
        LiveSession onB = on(1, "a");
        long overlapping = onB.enter();
        for (int i = 0; i < 20; i++) {
            int item = i;
            use(onB, () -> cart(onB).add("b" + item));
            long next = onB.enter();
            onB.exit(overlapping);
            overlapping = next;
            use(onA, () -> cart(onA).add("a" + item));
        }
        onB.exit(overlapping);
        assertEquals(41, cart(onA).size());
        assertEquals(41, cart(onB).size());
    }

    @Test
    void nodeListensOnItsAddressOnly() throws Exception {
        start(1, Map.of());
        InetAddress other = InetAddress.getByName("127.0.0.2");
        assumeTrue(NetworkInterface.getByInetAddress(other) != null
                || System.getProperty("os.name").equals("Linux"));
        for (int port : new int[] {
            nodes.get(0).config().bindPort(), nodes.get(0).config().bindPort() + 100
        }) {
            try (ServerSocket free = new ServerSocket(port, 1, other)) {
                assertTrue(free.isBound(), "a listener on all addresses would have kept us from binding");
            }
        }
    }
}
