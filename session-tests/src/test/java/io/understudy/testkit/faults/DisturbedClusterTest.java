package io.understudy.testkit.faults;

import static io.understudy.testkit.SessionRequest.find;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeFigures;
import io.understudy.config.Setting;
import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.SessionRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cluster keeps its promises while the network doesn't. */
@Tag("cluster")
class DisturbedClusterTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final int CHANGES = 400;

    private static Commit set(LiveSession session, String name, Object value) {
        return SessionRequest.send(session, () -> session.attributes().put(name, value));
    }

    @Test
    void lostReorderedAndRepeatedChangesArriveInOrderAndAllNodesAreEqual() throws Exception {
        try (Cluster cluster = Cluster.of(3, Map.of(Setting.COHERENCE, "incoherent"))) {
            LiveSession session = cluster.sessions(0).create("s", 1800);
            set(session, "first", 0);
            set(session, "second", 0);
            cluster.awaitEqual(LIMIT);
            cluster.dropMulticasts(0.05);
            cluster.duplicate(0.2);
            cluster.reorder(0.3, Duration.ofMillis(20));
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<Set<Integer>> watching = Beside.get(() -> outOfOrder(cluster, done));
            for (int i = 1; i <= CHANGES; i++) {
                // Each in a message of its own: what waits is joined.
                send(cluster, session, "first", i);
                send(cluster, session, "second", i);
            }
            cluster.awaitEqual(LIMIT);
            done.set(true);
            assertEquals(Map.of("s", Map.of("first", CHANGES, "second", CHANGES)), cluster.held(1));
            long released = NodeFigures.of(cluster.node(1)).get("changes_released");
            Set<Integer> early = watching.get();
            assertTrue(early.size() <= released, () -> early + " out of order, " + released + " released");
            assertTrue(NodeFigures.of(cluster.node(1)).get("changes_held") > 0, "the network did disturb the order");
        }
    }

    private static void send(Cluster cluster, LiveSession session, String name, int value) {
        long before = sent(cluster);
        set(session, name, value);
        Await.until(LIMIT, () -> name + " " + value + " is not sent", () -> sent(cluster) > before);
    }

    private static long sent(Cluster cluster) {
        return NodeFigures.of(cluster.node(0)).get("deltas_sent");
    }

    /** The changes that were there before the one that was made before them. */
    private static Set<Integer> outOfOrder(Cluster cluster, AtomicBoolean done) {
        Set<Integer> early = new TreeSet<>();
        LiveSession session = find(cluster.sessions(1), "s");
        while (!done.get()) {
            int second = (Integer) session.attributes().get("second");
            int first = (Integer) session.attributes().get("first");
            if (first < second) {
                early.add(second);
            }
        }
        return early;
    }

    @Test
    void acknowledgedUnderLossMeansHeldByAll() {
        try (Cluster cluster = Cluster.of(3, Map.of())) {
            cluster.drop(0.05);
            cluster.delay(Duration.ofMillis(2));
            LiveSession session = cluster.sessions(0).create("s", 1800);
            for (int i = 0; i < 30; i++) {
                assertEquals(Outcome.ACKNOWLEDGED, set(session, "count", i).await());
                for (int node = 1; node < 3; node++) {
                    assertEquals(
                            i, find(cluster.sessions(node), "s").attributes().get("count"));
                }
            }
        }
    }

    @Test
    void bothSidesOfAPartitionGoOnAndAreEqualAfterwards() {
        try (Cluster cluster = Cluster.of(4, Map.of(Setting.ACK_TIMEOUT, "60s"))) {
            for (Map.Entry<String, String> user :
                    Map.of("kept", "ann", "ended", "bob").entrySet()) {
                LiveSession session = cluster.sessions(0).create(user.getKey(), 1800);
                assertEquals(
                        Outcome.ACKNOWLEDGED,
                        set(session, "user", user.getValue()).await());
            }
            try (Fault split = cluster.partition(List.of(Set.of(0, 1), Set.of(2, 3)))) {
                Await.until(
                        LIMIT,
                        () -> split + ": " + NodeFigures.view(cluster.node(3)),
                        () -> List.of(0, 1, 2, 3).stream()
                                .allMatch(node ->
                                        NodeFigures.view(cluster.node(node)).contains("(2)")));
                assertEquals(
                        Outcome.ACKNOWLEDGED,
                        set(find(cluster.sessions(0), "kept"), "left", 1).await());
                assertEquals(
                        Outcome.ACKNOWLEDGED,
                        set(find(cluster.sessions(2), "kept"), "right", 2).await());
                assertEquals(
                        Outcome.ACKNOWLEDGED,
                        find(cluster.sessions(1), "ended").invalidate().await());
                assertEquals(
                        Outcome.ACKNOWLEDGED,
                        set(find(cluster.sessions(3), "ended"), "user", "cid").await());
            }
            cluster.awaitEqual(LIMIT);
            assertEquals(Map.of("kept", Map.of("user", "ann", "left", 1, "right", 2)), cluster.held(0));
        }
    }

    /** What a member sends while it is merged is known to nobody else, and is not to be waited for. */
    @Test
    void membersThatSendWhileTheyAreMergedLeaveNoGap() throws Exception {
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.COHERENCE, "incoherent"))) {
            AtomicBoolean done = new AtomicBoolean();
            List<CompletableFuture<Void>> senders;
            try (Fault split = cluster.partition(List.of(Set.of(0), Set.of(1)))) {
                Await.until(
                        LIMIT,
                        split::toString,
                        () -> List.of(0, 1).stream()
                                .allMatch(node ->
                                        NodeFigures.view(cluster.node(node)).contains("(1)")));
                cluster.delay(Duration.ofMillis(150)); // So that merging takes its time.
                senders = List.of(0, 1).stream()
                        .map(node -> Beside.run(() -> send(cluster, node, done)))
                        .toList();
            }
            Await.until(
                    LIMIT,
                    () -> NodeFigures.view(cluster.node(0)),
                    () -> List.of(0, 1).stream()
                            .allMatch(
                                    node -> NodeFigures.view(cluster.node(node)).contains("(2)")));
            done.set(true);
            senders.forEach(CompletableFuture::join);
            Await.until(
                    LIMIT,
                    () -> "missing " + cluster.missing(0) + ", " + cluster.missing(1),
                    () -> cluster.missing(0) + cluster.missing(1) == 0);
            cluster.awaitEqual(LIMIT);
        }
    }

    private static void send(Cluster cluster, int node, AtomicBoolean done) {
        LiveSession session = cluster.sessions(node).create("s" + node, 1800);
        for (int i = 0; !done.get(); i++) {
            set(session, "count", i);
            LockSupport.parkNanos(200_000);
        }
    }

    @Test
    void whatAPausedNodeMissedArrivesAfterThePause() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            LiveSession session = cluster.sessions(0).create("s", 1800);
            assertEquals(Outcome.ACKNOWLEDGED, set(session, "x", 1).await());
            CompletableFuture<Outcome> outcome;
            try (Fault pause = cluster.pause(1)) {
                outcome = set(session, "x", 2).outcome().toCompletableFuture();
                assertEquals(1, find(cluster.sessions(1), "s").attributes().get("x"), pause::toString);
                assertTrue(!outcome.isDone());
            }
            assertEquals(Outcome.ACKNOWLEDGED, outcome.join());
            assertEquals(2, find(cluster.sessions(1), "s").attributes().get("x"));
        }
    }

    @Test
    void aKilledNodeIsDoneWithoutAndComesBackComplete() {
        try (Cluster cluster = Cluster.of(3, Map.of())) {
            LiveSession session = cluster.sessions(0).create("s", 1800);
            assertEquals(Outcome.ACKNOWLEDGED, set(session, "x", 1).await());
            cluster.kill(2);
            assertEquals(Outcome.ACKNOWLEDGED, set(session, "x", 2).await());
            cluster.start(2);
            assertEquals(2, find(cluster.sessions(2), "s").attributes().get("x"));
        }
    }

    /** The dead node can send nothing again; who got its last changes has them for those who did not. */
    @Test
    void whatOnlyOneMemberGotOfANodeThatIsKilledAllHaveSoonAfter() {
        try (Cluster cluster =
                Cluster.of(3, Map.of(Setting.COHERENCE, "incoherent", Setting.RECONCILE_INTERVAL, "1h"))) {
            LiveSession session = cluster.sessions(0).create("s", 1800);
            set(session, "x", 1);
            cluster.awaitEqual(LIMIT);
            try (Fault deaf = cluster.deafen(2, 0)) {
                set(session, "x", 2);
                Await.until(
                        LIMIT,
                        deaf::toString,
                        () -> find(cluster.sessions(1), "s")
                                .attributes()
                                .get("x")
                                .equals(2));
                assertEquals(1, find(cluster.sessions(2), "s").attributes().get("x"));
                cluster.kill(0);
            }
            Await.until(
                    LIMIT,
                    () -> NodeFigures.view(cluster.node(2)),
                    () -> find(cluster.sessions(2), "s").attributes().get("x").equals(2));
        }
    }

    @Test
    void timePassesWhenItIsMoved() {
        MovedTime time = new MovedTime();
        try (Cluster cluster = Cluster.of(2, Map.of(), time, 1)) {
            LiveSession session = cluster.sessions(0).create("s", 60);
            assertEquals(Outcome.ACKNOWLEDGED, set(session, "x", 1).await());
            time.step(Duration.ofHours(-5));
            assertTrue(!session.overdue(), "a clock that is set is no time");
            time.advance(Duration.ofSeconds(61));
            assertTrue(session.overdue());
        }
    }
}
