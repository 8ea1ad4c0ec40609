package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.audit.AuditEvent;
import io.understudy.config.Setting;
import io.understudy.session.Admission;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.Due;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import io.understudy.wire.Frame.Buckets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that come back with the id of an expired session, while its end is claimed or listeners run. */
@Tag("cluster")
@Timeout(300)
class ExpiredIdTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final int IDLE_SECONDS = 60;
    private static final Duration OVERDUE = Duration.ofSeconds(IDLE_SECONDS + 10);

    private final MovedTime time = new MovedTime();
    private final Cluster cluster =
            Cluster.of(3, Map.of(Setting.TOUCH_INTERVAL, "100ms", Setting.ACK_TIMEOUT, "1s"), time, 1);

    @AfterEach
    void close() {
        cluster.close();
    }

    private List<String> create(int sessions) {
        List<String> ids =
                IntStream.range(0, sessions).mapToObj(number -> "s" + number).toList();
        ids.forEach(id -> put(cluster.sessions(0).create(id, IDLE_SECONDS), "used", 1));
        cluster.awaitEqual(LIMIT);
        return ids;
    }

    private void assertNobodyWaits(List<String> ids) {
        for (int node = 0; node < 2; node++) {
            for (String id : ids) {
                assertEquals(Admission.PROCEED, cluster.sessions(node).admit(id), id + " on node " + node);
                assertNull(cluster.sessions(node).find(id));
            }
        }
    }

    @Test
    void expiredIdsAreAnsweredWhileListenersRun() {
        List<String> ids = create(20);
        time.advance(OVERDUE);
        List<LiveSession> claimed = Due.of(cluster.sessions(0), 20);
        assertTrue(claimed.get(0).beginExpiry(), "its listeners are told, and take long");
        assertNobodyWaits(ids);
        for (LiveSession session : claimed) {
            assertTrue(session == claimed.get(0) || session.beginExpiry(), "nobody used it");
            session.expire().await();
        }
        assertNobodyWaits(ids);
    }

    /** Which knows neither the claims nor, so far, the sessions. */
    @Test
    void expiredIdsAreAnsweredByAMemberThatJoins() {
        List<String> ids = create(3);
        cluster.kill(2);
        cluster.awaitView(0, 2);
        cluster.awaitView(1, 2);
        time.advance(OVERDUE);
        assertEquals(3, Due.of(cluster.sessions(0), 3).size(), "claimed");
        CompletableFuture<Void> joining;
        try (Fault lost = cluster.lose(2, 1, Buckets.class)) {
            joining = Beside.run(() -> cluster.start(2));
            Await.that("it began to join", () -> cluster.runs(2));
            Await.until(
                    LIMIT, () -> "no answer " + lost, () -> cluster.sessions(2).admit("unknown") == Admission.PROCEED);
            assertFalse(joining.isDone(), "a member that it compares itself with does not answer");
            for (String id : ids) {
                assertEquals(Admission.PROCEED, cluster.sessions(2).admit(id));
                LiveSession found = cluster.sessions(2).find(id);
                assertTrue(found == null || found.overdue(), id); // It may not know yet that its end is claimed.
            }
        }
        joining.join();
    }

    /** As scripts on forgotten pages do. */
    @Test
    void pollingWithAnExpiredIdDoesNotKeepItsSession() {
        List<String> ids = create(3);
        time.advance(OVERDUE);
        assertNobodyFindsItUsable(ids);
        assertEquals(3, Due.of(cluster.sessions(0), 3).size());
    }

    private void assertNobodyFindsItUsable(List<String> ids) {
        for (int node = 0; node < 2; node++) {
            for (String id : ids) {
                assertEquals(Admission.PROCEED, cluster.sessions(node).admit(id));
                assertTrue(find(cluster.sessions(node), id).overdue());
            }
        }
    }

    /** The member that used it last may end it, but elsewhere news of a use may be under way. */
    private LiveSession overdueOnlyWhereItWasUsed() {
        create(1);
        time.advance(Duration.ofSeconds(IDLE_SECONDS).plusMillis(100));
        LiveSession session = find(cluster.sessions(0), "s0");
        assertTrue(session.overdue());
        assertFalse(find(cluster.sessions(1), "s0").overdue());
        return session;
    }

    @Test
    void aRequestInTimeDoesNotWaitForListenersForEver() {
        LiveSession session = overdueOnlyWhereItWasUsed();
        Await.that("its end begins", session::beginExpiry);
        assertEquals(Admission.UNAVAILABLE, cluster.sessions(1).admit("s0"), "the listeners take too long to wait for");
        session.expire().await();
    }

    @Test
    void aRequestInTimeWaitsForTheEndOfItsSession() {
        LiveSession session = overdueOnlyWhereItWasUsed();
        Await.that("its end begins", session::beginExpiry);
        Understudy node = cluster.node(1);
        ReplicatedSessions patient = node.join(
                "/shop",
                getClass()::getClassLoader,
                node.config().application().with(Setting.ACK_TIMEOUT.key(), "60s"));
        CompletableFuture<Admission> request = Beside.get(() -> patient.admit("s0"));
        Await.that("it waits", () -> node.gauges().get("requests_waiting") == 1);
        session.expire().await();
        assertEquals(Admission.PROCEED, request.join());
        assertNull(cluster.sessions(1).find("s0"));
    }

    @Test
    void aRequestInTimeGetsASessionWhoseEndIsGivenUp() {
        LiveSession session = overdueOnlyWhereItWasUsed();
        CompletableFuture<Boolean> ending;
        try (Fault pause = cluster.pause(2)) {
            ending = Beside.get(session::beginExpiry);
            Await.that(
                    "the end is claimed",
                    () -> !cluster.sessions(1).audit().of(AuditEvent.CLAIMED).isEmpty());
            assertFalse(ending.join(), "without a vote: " + pause);
            Await.until(LIMIT, () -> "it waits", () -> cluster.sessions(1).admit("s0") == Admission.PROCEED);
            put(find(cluster.sessions(1), "s0"), "used", 3);
        }
        cluster.awaitEqual(LIMIT);
    }
}
