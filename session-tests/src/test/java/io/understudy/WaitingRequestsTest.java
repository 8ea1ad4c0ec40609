package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Admission;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.lock.SessionLock;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * So many requests of a node wait for other members, or for each other, that the container would have no thread left.
 */
@Tag("cluster")
class WaitingRequestsTest {

    private static final int MANY = 100;

    private Cluster cluster;

    @AfterEach
    void close() {
        cluster.close();
    }

    private static <T> List<CompletableFuture<T>> start(Supplier<T> request) {
        return IntStream.range(0, MANY).mapToObj(i -> Beside.get(request)).toList();
    }

    /** What a container does for a request; true if its listeners were told here. */
    private static boolean logout(LiveSession session) {
        boolean begun = session.beginEnd();
        if (begun) {
            session.invalidate();
        }
        return begun;
    }

    private void awaitAllWait(int node) {
        Await.that("all wait", () -> cluster.node(node).gauges().get("requests_waiting") == MANY);
    }

    private long notWaiting(int node) {
        return cluster.node(node).metrics().value(Counter.REQUESTS_NOT_WAITING);
    }

    private static <T> T get(CompletableFuture<T> result) throws Exception {
        return result.get(Await.LIMIT.toMillis() / 2, TimeUnit.MILLISECONDS);
    }

    private long waited(int node) {
        return cluster.node(node).metrics().value(Counter.REQUESTS_WAITED_FOR_VERSION);
    }

    @Test
    void oneMoreIsRefusedAtOnceAtTheSessionLock() throws Exception {
        cluster = Cluster.of(2, Map.of(Setting.SESSION_LOCK, "on", Setting.LOCK_TIMEOUT, "1h"));
        put(cluster.sessions(0).create("a", 1800), "name", "ada");
        SessionLock held = cluster.sessions(1).lock("a");
        List<CompletableFuture<Boolean>> waiting = start(() -> {
            try (SessionLock lock = cluster.sessions(0).lock("a")) {
                return lock.refused();
            }
        });
        awaitAllWait(0);
        try (SessionLock late = get(Beside.get(() -> cluster.sessions(0).lock("a")))) {
            assertTrue(late.refused());
        }
        freeLocksAreGranted();
        held.close();
        for (CompletableFuture<Boolean> each : waiting) {
            assertEquals(false, get(each));
        }
    }

    /** Of other sessions; the other node grants half of them. On a slow machine a grant may be late. */
    private void freeLocksAreGranted() {
        for (int i = 0; i < 20; i++) {
            String id = "free" + i;
            put(cluster.sessions(0).create(id, 1800), "name", "ada");
            Await.that("lock " + i + " is granted", () -> {
                try (SessionLock free = get(Beside.get(() -> cluster.sessions(0).lock(id)))) {
                    return !free.refused();
                }
            });
        }
    }

    @Test
    void oneMoreLogoutGoesOnWithoutTheVotes() throws Exception {
        cluster = Cluster.of(2, Map.of(Setting.ACK_TIMEOUT, "1h", Setting.LOCK_TIMEOUT, "2h"));
        LiveSession before = cluster.sessions(1).create("before", 1800);
        put(before, "name", "ada");
        assertTrue(logout(before)); // Then the first node has heard that the second one votes.
        List<LiveSession> sessions = new ArrayList<>();
        for (int i = 0; i <= MANY; i++) {
            LiveSession session = cluster.sessions(0).create("s" + i, 1800);
            put(session, "name", "ada");
            sessions.add(session);
        }
        LiveSession last = sessions.remove(MANY);
        List<CompletableFuture<Boolean>> waiting;
        try (Fault silence = cluster.dropUnicasts()) {
            waiting = sessions.stream()
                    .map(session -> Beside.get(() -> logout(session)))
                    .toList();
            awaitAllWait(0);
            assertTrue(get(Beside.get(() -> logout(last))), silence::toString);
            assertEquals(1, notWaiting(0));
            assertTrue(waiting.stream().noneMatch(CompletableFuture::isDone), "the others wait still");
        }
        for (CompletableFuture<Boolean> each : waiting) {
            assertTrue(get(each));
        }
        Await.that("no session is left", () -> cluster.sessions(1).ids().isEmpty());
        assertEquals(0, cluster.node(0).gauges().get("requests_waiting"));
    }

    /** A request that waits for the votes, and one that does not. */
    @ParameterizedTest
    @ValueSource(strings = {"coherent", "incoherent"})
    void oneMoreLogoutDoesNotAwaitAnotherNodesEnd(String coherence) throws Exception {
        cluster = Cluster.of(
                2, Map.of(Setting.COHERENCE, coherence, Setting.ACK_TIMEOUT, "1h", Setting.LOCK_TIMEOUT, "2h"));
        LiveSession here = cluster.sessions(0).create("a", 1800);
        put(here, "name", "ada");
        Await.that("it is there", () -> cluster.sessions(1).contains("a"));
        LiveSession there = find(cluster.sessions(1), "a");
        assertTrue(there.beginEnd(), "its listeners run, and take long");
        Await.that("the first node knows of it", () -> cluster.node(0).gauges().get("ends_promised") == 1);
        List<CompletableFuture<Boolean>> waiting = start(() -> logout(here));
        awaitAllWait(0);
        assertFalse(get(Beside.get(() -> logout(here))));
        assertEquals(1, notWaiting(0));
        assertTrue(waiting.stream().noneMatch(CompletableFuture::isDone), "the others wait still");
        there.invalidate();
        for (CompletableFuture<Boolean> each : waiting) {
            assertFalse(get(each));
        }
        assertFalse(here.valid());
    }

    @Test
    void oneMoreIsRefusedAtOnceAtTheVersionCookie() throws Exception {
        cluster = Cluster.of(
                2,
                Map.of(
                        Setting.COHERENCE, "incoherent",
                        Setting.VERSION_COOKIE, "v",
                        Setting.VERSION_COOKIE_SECRET, "correct horse battery staple",
                        Setting.VERSION_COOKIE_WAIT, "1h"));
        LiveSession session = cluster.sessions(0).create("a", 1800);
        put(session, "name", "ada");
        Await.that("it is there", () -> cluster.sessions(1).contains("a"));
        List<CompletableFuture<Admission>> waiting;
        try (Fault silence = cluster.deafen(1, 0)) {
            put(session, "name", "bea");
            List<String> cookie = List.of(session.version().value());
            waiting = start(() -> cluster.sessions(1).admit("a", cookie));
            Await.that("all wait", () -> waited(1) == MANY);
            assertEquals(
                    Admission.UNAVAILABLE,
                    get(Beside.get(() -> cluster.sessions(1).admit("a", cookie))),
                    silence::toString);
        }
        for (CompletableFuture<Admission> each : waiting) {
            assertEquals(Admission.PROCEED, get(each));
        }
    }

    @Test
    void oneMoreIsRefusedAtOnceWhileASessionExpires() throws Exception {
        MovedTime time = new MovedTime();
        cluster = Cluster.of(
                2,
                Map.of(Setting.TOUCH_INTERVAL, "100ms", Setting.ACK_TIMEOUT, "1h", Setting.LOCK_TIMEOUT, "2h"),
                time,
                1);
        LiveSession here = cluster.sessions(0).create("a", 60);
        put(here, "name", "ada");
        cluster.awaitEqual(Await.LIMIT);
        time.advance(Duration.ofMillis(60_100)); // For the other node the news of a use may be under way.
        Await.that("its end begins", here::beginExpiry);
        List<CompletableFuture<Admission>> waiting =
                start(() -> cluster.sessions(1).admit("a"));
        awaitAllWait(1);
        assertEquals(
                Admission.UNAVAILABLE, get(Beside.get(() -> cluster.sessions(1).admit("a"))));
        assertEquals(1, notWaiting(1));
        assertTrue(waiting.stream().noneMatch(CompletableFuture::isDone), "the others wait still");
        here.expire().await();
        for (CompletableFuture<Admission> each : waiting) {
            assertEquals(Admission.PROCEED, get(each));
        }
    }

    /** It is tried again then: by another request, or a scan. */
    @Test
    void anExpiryIsNotVotedOnForARequestWithoutAPlace() throws Exception {
        MovedTime time = new MovedTime();
        cluster = Cluster.of(
                2,
                Map.of(
                        Setting.TOUCH_INTERVAL, "100ms",
                        Setting.MAX_WAITING_REQUESTS, "1",
                        Setting.ACK_TIMEOUT, "1h",
                        Setting.LOCK_TIMEOUT, "2h"),
                time,
                1);
        LiveSession due = cluster.sessions(0).create("due", 60);
        put(due, "name", "ada");
        put(cluster.sessions(0).create("a", 1800), "name", "bea");
        cluster.awaitEqual(Await.LIMIT);
        CompletableFuture<SessionLock> waiter;
        try (SessionLock held = cluster.sessions(0).lock("a")) {
            waiter = Beside.get(() -> cluster.sessions(0).lock("a"));
            Await.that("it waits", () -> cluster.node(0).gauges().get("requests_waiting") == 1);
            time.advance(Duration.ofMillis(60_100));
            try (Fault silence = cluster.dropUnicasts()) {
                Await.that("there is no place to wait for votes", () -> {
                    assertFalse(due.beginExpiry(), silence::toString);
                    return notWaiting(0) > 0;
                });
            }
            assertFalse(waiter.isDone(), held::toString);
        }
        get(waiter).close();
        Await.that("its end begins", due::beginExpiry);
    }

    /** Its change is made by then: a client that got 503 would make it twice. */
    @Test
    void acknowledgementsAreAwaitedWithoutAPlace() throws Exception {
        cluster = Cluster.of(
                2,
                Map.of(
                        Setting.MAX_WAITING_REQUESTS, "1",
                        Setting.ACK_TIMEOUT, "1h",
                        Setting.LOCK_TIMEOUT, "2h"));
        LiveSession session = cluster.sessions(0).create("a", 1800);
        put(session, "name", "ada");
        CompletableFuture<SessionLock> waiter;
        CompletableFuture<Outcome> response;
        try (SessionLock held = cluster.sessions(0).lock("a")) {
            assertFalse(held.refused());
            waiter = Beside.get(() -> cluster.sessions(0).lock("a"));
            Await.that("the only place is taken", () -> cluster.node(0).gauges().get("requests_waiting") == 1);
            try (Fault silence = cluster.dropUnicasts()) {
                response = Beside.get(() -> put(session, "name", "bea"));
                Await.that(
                        "the other node has the change",
                        () -> "bea".equals(cluster.held(1).get("a").get("name")));
                assertFalse(response.isDone(), silence::toString);
            }
            assertEquals(Outcome.ACKNOWLEDGED, get(response));
        }
        get(waiter).close();
        assertEquals(0, notWaiting(0));
    }
}
