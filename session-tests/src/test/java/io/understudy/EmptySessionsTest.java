package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.session.Coherence;
import io.understudy.metrics.Counter;
import io.understudy.session.Admission;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.Due;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions without attributes, as crawlers leave them behind. */
@Tag("cluster")
@Timeout(300)
class EmptySessionsTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** So long that no announcement goes out by itself. */
    private static final String NEVER = "1h";

    private static final Map<Setting, String> LOCAL = Map.of(Setting.EMPTY_SESSIONS, "local");

    /** While it stands still no look-up on the other nodes is given up. */
    private final MovedTime time = new MovedTime();

    private Cluster cluster;

    private void start(int nodes, String touchInterval, Map<Setting, String> more) {
        Map<Setting, String> settings = new HashMap<>(more);
        settings.put(Setting.TOUCH_INTERVAL, touchInterval);
        settings.putIfAbsent(Setting.COHERENCE, "incoherent");
        cluster = Cluster.of(nodes, settings, time, 1);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LiveSession visit(int node, String id) {
        LiveSession session = cluster.sessions(node).create(id, 1800);
        assertEquals(Outcome.UNCHANGED, use(session, () -> {}));
        return session;
    }

    private long count(int node, Counter counter) {
        return cluster.node(node).metrics().value(counter);
    }

    private long sent(int node) {
        return count(node, Counter.DELTAS_SENT);
    }

    private boolean there(int node, String id) {
        return cluster.sessions(node).contains(id);
    }

    /** What a container does with a request that bears an id. */
    private LiveSession arrive(int node, String id) {
        assertEquals(Admission.PROCEED, cluster.sessions(node).admit(id));
        return find(cluster.sessions(node), id);
    }

    private void awaitThere(int node, String id) {
        Await.until(LIMIT, () -> "not there: " + id, () -> there(node, id));
    }

    @Test
    void theyAreAnnouncedTogetherAndNotSentOneByOne() {
        start(2, "500ms", Map.of());
        for (int i = 0; i < 1000; i++) {
            visit(0, "s" + i);
        }
        Await.until(
                LIMIT,
                () -> cluster.sessions(1).ids().size(),
                () -> cluster.sessions(1).ids().size() == 1000);
        assertEquals(1000, count(0, Counter.SESSIONS_ANNOUNCED));
        assertEquals(0, sent(0));
        assertEquals(0, cluster.node(0).gauges().get("sessions_at_risk"));
        LiveSession there = find(cluster.sessions(1), "s7");
        assertEquals(1800, there.maxInactiveSeconds());
        assertEquals(find(cluster.sessions(0), "s7").key(), there.key());
    }

    @Test
    void oneThatLogsInThroughAnotherNodeIsOneSession() {
        start(3, NEVER, Map.of());
        LiveSession first = visit(0, "visitor");
        LiveSession second = arrive(1, "visitor");
        assertEquals(first.key(), second.key());
        put(second, "user", "ada");
        second.rename("logged-in").await();
        for (int node : List.of(0, 2)) {
            awaitThere(node, "logged-in");
            LiveSession there = arrive(node, "logged-in");
            assertEquals(first.key(), there.key(), "one session");
            assertEquals("ada", there.attributes().get("user"));
            assertFalse(there(node, "visitor"));
        }
    }

    @Test
    void theFirstChangeOfOneThatWasNotAnnouncedCarriesItWhole() {
        start(2, NEVER, Map.of());
        LiveSession session = visit(0, "a");
        use(session, () -> session.maxInactiveSeconds(60));
        assertFalse(there(1, "a"));
        assertEquals(1, cluster.node(0).gauges().get("sessions_at_risk"), "it would be lost now");
        put(session, "user", "ada");
        awaitThere(1, "a");
        assertEquals("ada", find(cluster.sessions(1), "a").attributes().get("user"));
        assertEquals(60, find(cluster.sessions(1), "a").maxInactiveSeconds());
        Await.until(
                LIMIT,
                () -> cluster.node(0).gauges().toString(),
                () -> cluster.node(0).gauges().get("sessions_at_risk") == 0);
    }

    @Test
    void aRequestThatWaitsTellsTheOthersBefore() {
        start(2, NEVER, Map.of());
        LiveSession session = visit(0, "a");
        long ticket = session.enter();
        assertEquals(Outcome.ACKNOWLEDGED, session.commit(Coherence.COHERENT).await());
        session.exit(ticket);
        assertTrue(there(1, "a"), "it was shown to a request that waits");
        LiveSession other = cluster.sessions(0).create("b", 1800);
        assertEquals(Outcome.ACKNOWLEDGED, other.commit(Coherence.COHERENT).await());
        assertTrue(there(1, "b"));
        assertEquals(0, count(0, Counter.SESSIONS_ANNOUNCED));
    }

    @Test
    void theLastOnesAreAnnouncedWhenTheNodeStops() {
        start(2, NEVER, Map.of());
        visit(0, "a");
        LiveSession ended = visit(0, "ended");
        assertTrue(ended.beginEnd());
        ended.invalidate().await();
        cluster.node(0).close();
        awaitThere(1, "a");
        assertNull(cluster.sessions(1).find("ended"));
    }

    @Test
    void theLastOnesAreThereAlsoIfTheirAnnouncementHasToBeSentAgain() throws Exception {
        start(2, NEVER, Map.of());
        visit(0, "a");
        Future<?> closing;
        try (Fault lost = cluster.dropMulticasts(1)) {
            closing = Beside.run(() -> cluster.node(0).close());
            Await.until(
                    LIMIT, () -> lost + ", and nothing was announced", () -> count(0, Counter.SESSIONS_ANNOUNCED) == 1);
        }
        closing.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        awaitThere(1, "a");
    }

    @Test
    void withReplicateEachIsSentAtOnce() {
        start(2, NEVER, Map.of(Setting.EMPTY_SESSIONS, "replicate"));
        cluster.sessions(0).create("a", 1800).commit().await();
        awaitThere(1, "a");
        assertEquals(0, count(0, Counter.SESSIONS_ANNOUNCED));
        assertEquals(1, sent(0));
    }

    @Test
    void withLocalNobodyIsToldOrAskedUntilOneHasAttributes() {
        start(2, "100ms", LOCAL);
        LiveSession quiet = visit(0, "quiet");
        LiveSession user = visit(0, "user");
        use(quiet, () -> {});
        put(user, "name", "ada");
        awaitThere(1, "user");
        assertTrue(quiet.beginEnd());
        assertEquals(List.of(), cluster.sessions(1).audit().entries(), "nobody was asked");
        quiet.invalidate().await();
        assertFalse(quiet.valid());
        assertFalse(there(0, "quiet"));
        assertEquals(1, sent(0), "the one with an attribute");
        assertEquals(0, count(0, Counter.TOUCHES_SENT));
        assertEquals(0, count(0, Counter.SESSIONS_ANNOUNCED));
    }

    @Test
    void oneThatIsBeingEndedIsNotFoundByAnotherNode() {
        start(2, "100ms", LOCAL);
        LiveSession session = visit(0, "a");
        assertTrue(session.beginEnd());
        assertEquals(Admission.PROCEED, cluster.sessions(1).admit("a"));
        assertNull(cluster.sessions(1).find("a"));
        session.invalidate().await();
        assertFalse(there(0, "a"));
    }

    /** Nobody was asked whether it may end: who was told of it now would use it while it does. */
    @Test
    void oneThatIsBeingEndedIsNotAnnounced() {
        start(2, "100ms", LOCAL);
        LiveSession session = visit(0, "a");
        time.advance(Duration.ofHours(1));
        assertEquals(List.of(session), Due.of(cluster.sessions(0), 1));
        assertEquals(Admission.PROCEED, cluster.sessions(1).admit("a"));
        for (String id : List.of("b", "c")) { // Announced after each other: the second one not before the first.
            visit(0, id);
            long before = count(0, Counter.ANNOUNCEMENTS_SENT);
            arrive(1, id);
            Await.until(LIMIT, () -> "not announced: " + id, () -> count(0, Counter.ANNOUNCEMENTS_SENT) > before);
        }
        assertFalse(there(1, "a"));
        session.abandonEnd();
        awaitThere(1, "a");
    }

    @Test
    void oneThatAnotherNodeAskedForIsEndedForBoth() {
        start(2, "100ms", LOCAL);
        LiveSession session = visit(0, "a");
        assertEquals(session.key(), arrive(1, "a").key());
        assertTrue(session.beginEnd());
        session.invalidate().await();
        Await.until(LIMIT, () -> "still there", () -> !there(1, "a"));
    }

    @Test
    void whatIsOverIsNotAskedForAgain() {
        start(2, NEVER, LOCAL);
        assertEquals(Admission.PROCEED, cluster.sessions(1).admit("stale"));
        LiveSession late = visit(0, "stale");
        assertEquals(Admission.PROCEED, cluster.sessions(1).admit("stale"));
        assertFalse(there(1, "stale"), "it was not known a moment ago");
        time.advance(Duration.ofSeconds(6));
        assertEquals(late.key(), arrive(1, "stale").key());
    }

    @Test
    void whoBearsTheIdOfASessionThatIsOverAsksNobody() {
        start(2, NEVER, Map.of());
        LiveSession session = cluster.sessions(0).create("a", 1800);
        put(session, "user", "ada");
        awaitThere(1, "a");
        session.invalidate().await();
        Await.until(LIMIT, () -> "still there", () -> !there(1, "a"));
        visit(0, "a");
        time.advance(Duration.ofSeconds(6));
        assertEquals(Admission.PROCEED, cluster.sessions(1).admit("a"));
        assertFalse(there(1, "a"), "the other node was asked");
    }

    @Test
    void withoutRoomTheyStayOnTheirNodeAndTheOldestEnd() {
        start(2, "100ms", Map.of(Setting.MAX_MEMORY, "1m"));
        for (int i = 0; i < 4000; i++) { // 400 bytes each.
            visit(0, "s" + i);
            time.advance(Duration.ofMillis(1));
        }
        LiveSession user = cluster.sessions(0).create("user", 1800);
        put(user, "name", "ada");
        Await.until(LIMIT, () -> "not sent", () -> sent(0) == 1);
        time.advance(Duration.ofSeconds(2));
        visit(0, "newest");
        long before = count(0, Counter.SESSIONS_ANNOUNCED);
        AtomicInteger fired = new AtomicInteger();
        Await.until(LIMIT, fired::get, () -> {
            List<LiveSession> going = cluster.sessions(0).expirable();
            for (LiveSession session : going) {
                assertTrue(session.beginExpiry());
                session.expire().await();
                fired.incrementAndGet();
            }
            Map<String, Long> gauges = cluster.node(0).gauges();
            return going.isEmpty() && gauges.get("replica_bytes") <= gauges.get("replica_bytes_bound");
        });
        assertTrue(fired.get() > 1300 && fired.get() < 1700, fired + " had to go");
        assertEquals(fired.get(), count(0, Counter.SESSIONS_ENDED_FOR_ROOM));
        assertTrue(there(0, "newest"));
        assertTrue(there(0, "user"));
        assertTrue(before < 2700, before + " were announced");
        assertEquals(1, sent(0), "nobody was told of the ends");
    }

    @Test
    void oneThatHasToGoStaysIfARequestComesBefore() {
        start(2, "100ms", Map.of(Setting.MAX_MEMORY, "1m"));
        for (int i = 0; i < 4000; i++) {
            visit(0, "s" + i);
            time.advance(Duration.ofMillis(1));
        }
        time.advance(Duration.ofSeconds(2));
        LiveSession going = Due.of(cluster.sessions(0), 1).get(0);
        assertEquals(going, arrive(0, going.id()));
        assertFalse(going.beginExpiry());
        assertEquals(Outcome.UNCHANGED, use(going, () -> {}));
        assertTrue(going.valid());
    }

    /** Nobody was asked whether they may end: the others could use them by then. */
    @Test
    void whatIsAboutToBeAnnouncedMakesNoRoom() {
        start(2, NEVER, Map.of(Setting.MAX_MEMORY, "1m"));
        for (int i = 0; i < 4000; i++) {
            visit(0, "s" + i);
            time.advance(Duration.ofMillis(1));
        }
        time.advance(Duration.ofSeconds(2));
        List<String> going =
                Due.of(cluster.sessions(0), 1).stream().map(LiveSession::id).toList();
        assertFalse(going.contains("s0"), "it was noted to be announced, as there was room");
    }
}
