package io.understudy.session;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionKey;
import io.understudy.testkit.Await;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members of real channels become alike again, whatever kept them apart. */
@Tag("cluster")
class ConvergenceClusterTest {

    private static final Duration LIMIT = Await.LIMIT;

    @Test
    void twoSessionsWithOneIdBecomeOneOnAllMembers() {
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.COHERENCE, "incoherent"))) {
            Fault apart = cluster.partition(List.of(Set.of(0), Set.of(1)));
            LiveSession first = cluster.sessions(0).create("s", 1800);
            LiveSession second = cluster.sessions(1).create("s", 1800);
            put(first, "a", 1);
            put(second, "b", 2); // Both have written before they know of each other.
            apart.close();
            Await.until(
                    LIMIT,
                    () -> cluster.held(0) + " " + cluster.held(1),
                    () -> cluster.held(0).equals(Map.of("s", Map.of("a", 1, "b", 2))));
            cluster.awaitEqual(LIMIT);
            assertEquals(
                    find(cluster.sessions(0), "s").key(),
                    find(cluster.sessions(1), "s").key(),
                    "the same one keeps the id everywhere");
            // The session that keeps the id takes over what the other holds, and then the other ends.
            Await.until(LIMIT, () -> first.valid() + " " + second.valid(), () -> first.valid() != second.valid());
        }
    }

    @Test
    void aSessionIsComparedWithTheOtherSideBeforeItsFirstUseAfterAMerge() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            put(cluster.sessions(0).create("out", 1800), "x", 1);
            put(cluster.sessions(0).create("both", 1800), "x", 1);
            Fault apart = cluster.partition(List.of(Set.of(0), Set.of(1)));
            cluster.awaitView(0, 1);
            cluster.awaitView(1, 1);
            find(cluster.sessions(0), "out").invalidate().await();
            put(find(cluster.sessions(0), "both"), "x", 2);
            put(find(cluster.sessions(1), "both"), "y", 3);
            put(cluster.sessions(0).create("new", 1800), "x", 4);
            apart.close();
            cluster.awaitView(0, 2);
            cluster.awaitView(1, 2);
            for (String id : List.of("out", "both", "new")) {
                assertEquals(Admission.PROCEED, cluster.sessions(1).admit(id));
            }
            assertNull(cluster.sessions(1).find("out"));
            assertEquals(
                    Map.of("x", 2, "y", 3),
                    Map.copyOf(find(cluster.sessions(1), "both").attributes()));
            assertEquals(4, find(cluster.sessions(1), "new").attributes().get("x"));
            cluster.awaitEqual(LIMIT);
        }
    }

    @Test
    void noSessionComesBackFromASideThatWasApartForLongerThanItsEndIsRemembered() {
        MovedTime time = new MovedTime();
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.TOMBSTONE_HORIZON, "1h"), time, 1)) {
            put(cluster.sessions(0).create("out", 0), "x", 1);
            put(cluster.sessions(0).create("stays", 0), "x", 1);
            SessionKey out = find(cluster.sessions(0), "out").key();
            time.advance(Duration.ofMinutes(10));
            Fault apart = cluster.partition(List.of(Set.of(0), Set.of(1)));
            cluster.awaitView(0, 1);
            cluster.awaitView(1, 1);
            time.advance(Duration.ofMinutes(1));
            find(cluster.sessions(0), "out").invalidate().await();
            put(find(cluster.sessions(1), "out"), "x", 2);
            time.advance(Duration.ofHours(2));
            Await.until(
                    LIMIT,
                    () -> out,
                    () -> cluster.sessions(0).services().replicas().stored(out) == null);
            put(find(cluster.sessions(1), "out"), "x", 3);
            put(cluster.sessions(1).create("young", 0), "x", 1);
            apart.close();
            cluster.awaitView(1, 2);
            Await.until(
                    LIMIT,
                    () -> cluster.held(0) + " " + cluster.held(1),
                    () -> cluster.held(1).keySet().equals(Set.of("stays", "young")));
            cluster.awaitEqual(LIMIT);
            assertTrue(cluster.node(0).metrics().value(Counter.SESSIONS_REFUSED) > 0);
        }
    }

    @Test
    void theOtherIdOfTwoConcurrentRenamesGoesOnAndTheOldOneDoesNot() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            put(cluster.sessions(0).create("old", 1800), "x", 1);
            Fault apart = cluster.partition(List.of(Set.of(0), Set.of(1)));
            cluster.awaitView(0, 1);
            cluster.awaitView(1, 1);
            find(cluster.sessions(0), "old").rename("a").await();
            find(cluster.sessions(1), "old").rename("b").await();
            apart.close();
            cluster.awaitView(0, 2);
            cluster.awaitView(1, 2);
            Await.until(
                    LIMIT,
                    () -> cluster.held(0) + " " + cluster.held(1),
                    () -> cluster.sessions(0).contains("b")
                            && cluster.sessions(1).contains("a"));
            for (int node = 0; node < 2; node++) {
                assertNull(cluster.sessions(node).find("old"));
                assertEquals(
                        find(cluster.sessions(node), "a").key(),
                        find(cluster.sessions(node), "b").key());
            }
            String current = find(cluster.sessions(0), "a").id();
            String rival = current.equals("a") ? "b" : "a";
            LiveSession session = find(cluster.sessions(0), rival);
            assertEquals(current, session.idFor(rival));
            assertEquals(current, session.idFor(current));
            assertNull(session.idFor("old")); // Its bearer must not learn what a login made of it.
            find(cluster.sessions(0), rival).dropSupersededId(rival).await();
            Await.until(LIMIT, () -> rival, () -> !cluster.sessions(1).contains(rival));
            assertEquals(current, find(cluster.sessions(1), current).id());
            assertNull(session.idFor(rival));
        }
    }
}
