package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.audit.AuditEvent;
import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionKey;
import io.understudy.session.Admission;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Due;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of sessions, agreed over real channels: listeners are told once. */
@Tag("cluster")
class ExpiryClusterTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final int IDLE_SECONDS = 60;
    private static final Duration OVERDUE = Duration.ofSeconds(IDLE_SECONDS + 10);

    private final MovedTime time = new MovedTime();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** How often the end of each session was told to listeners, on any node. */
    private final Map<SessionKey, AtomicInteger> fired = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    private Cluster cluster(int nodes) {
        return Cluster.of(nodes, Map.of(Setting.TOUCH_INTERVAL, "100ms"), time, 1);
    }

    private static LiveSession create(Cluster cluster, int node, String id) {
        LiveSession session = cluster.sessions(node).create(id, IDLE_SECONDS);
        use(session);
        return session;
    }

    private static void use(LiveSession session) {
        put(session, "used", System.nanoTime());
    }

    /** What a container does at its interval. */
    private int expire(Cluster cluster, int node, Runnable listener) {
        int ended = 0;
        for (LiveSession session : cluster.sessions(node).expirable()) {
            if (session.beginExpiry()) {
                assertNotNull(session.attributes().get("used"), "listeners can read attributes");
                fire(session);
                listener.run();
                session.expire().await();
                ended++;
            }
        }
        return ended;
    }

    private int expire(Cluster cluster, int node) {
        return expire(cluster, node, () -> {});
    }

    private void fire(LiveSession session) {
        fired.computeIfAbsent(session.key(), key -> new AtomicInteger()).incrementAndGet();
    }

    /** What a container does for a request; true if the session's end was this node's to tell. */
    private boolean logout(LiveSession session) {
        boolean begun = session.beginEnd();
        if (begun) {
            fire(session);
            session.invalidate().await();
        }
        return begun;
    }

    private void assertEachFired(int sessions) {
        assertEquals(sessions, fired.size());
        fired.forEach((key, times) -> assertEquals(1, times.get(), "destroy events of " + key));
    }

    private void awaitFired(Cluster cluster, int node, int sessions) {
        Await.until(LIMIT, fired::size, () -> {
            expire(cluster, node);
            return fired.size() == sessions;
        });
    }

    /** Once its claim is granted it may be a moment until it begins. */
    @Test
    void noScanTakesTheEndFromTheRequestThatClaimedIt() throws Exception {
        try (Cluster cluster = cluster(2)) {
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<Void> scan = CompletableFuture.runAsync(
                    () -> {
                        while (!done.get()) {
                            expire(cluster, 0);
                        }
                    },
                    threads);
            int logouts = 0;
            for (int i = 0; i < 1000; i++) {
                LiveSession session = create(cluster, 0, "s" + i);
                logouts += session.beginEnd() ? 1 : 0;
                session.invalidate().await();
            }
            done.set(true);
            scan.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertEquals(Map.of(), fired);
            assertEquals(1000, logouts);
        }
    }

    @Test
    void theOwnerFiresOnceAndItsHeirsDoWhenItHasLeft() {
        try (Cluster cluster = cluster(3)) {
            for (int i = 0; i < 50; i++) {
                create(cluster, i % 2, "s" + i);
            }
            cluster.awaitEqual(LIMIT);
            time.advance(OVERDUE);
            assertEquals(0, expire(cluster, 2), "it used none of them");
            awaitFired(cluster, 0, 25);
            cluster.node(1).close();
            cluster.awaitView(0, 2);
            cluster.awaitView(2, 2);
            Await.until(LIMIT, fired::size, () -> {
                expire(cluster, 0);
                expire(cluster, 2);
                return fired.size() == 50;
            });
            assertEachFired(50);
            assertEquals(
                    0,
                    cluster.node(0).metrics().value(Counter.ENDS_INHERITED)
                            + cluster.node(2).metrics().value(Counter.ENDS_INHERITED),
                    "the owner had not claimed them");
        }
    }

    @Test
    void whatAKilledOwnerHadClaimedIsFiredByItsHeirsAndNamed() throws Exception {
        try (Cluster cluster = cluster(3)) {
            for (int i = 0; i < 60; i++) {
                create(cluster, 0, "s" + i);
            }
            cluster.awaitEqual(LIMIT);
            time.advance(OVERDUE);
            CountDownLatch midway = new CountDownLatch(20);
            CountDownLatch killed = new CountDownLatch(1);
            assertEquals(60, Due.of(cluster.sessions(0), 60).size());
            Future<?> expiring = threads.submit(() -> expire(cluster, 0, () -> {
                midway.countDown();
                if (midway.getCount() == 0) {
                    awaitLatch(killed);
                    throw new IllegalStateException("killed");
                }
            }));
            assertTrue(midway.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
            cluster.kill(0);
            killed.countDown();
            cluster.awaitView(1, 2);
            cluster.awaitView(2, 2);
            assertNull(cluster.sessions(1).find("s59"), "listeners may have been told: nobody uses it any more");
            Await.until(LIMIT, () -> fired.size() + ", again " + firedAgain(cluster), () -> {
                expire(cluster, 1);
                expire(cluster, 2);
                return fired.size() == 60 && firedAgain(cluster).size() >= 41;
            });
            Await.until(LIMIT, () -> expiring, expiring::isDone);
            List<SessionKey> twice = fired.entrySet().stream()
                    .filter(entry -> entry.getValue().get() > 1)
                    .map(Map.Entry::getKey)
                    .toList();
            assertTrue(twice.size() <= 1, "one thread's listeners ran at the kill: " + twice);
            Set<SessionKey> named = firedAgain(cluster);
            assertTrue(named.containsAll(twice), named + " are named, " + twice + " were fired twice");
            assertEquals(41, named.size(), "all that were claimed and not over");
        }
    }

    /** What the second and the third node name as claimed by a member that is gone. */
    private static Set<SessionKey> firedAgain(Cluster cluster) {
        Set<SessionKey> named = new HashSet<>();
        for (int node = 1; node < 3; node++) {
            cluster.sessions(node).audit().of(AuditEvent.FIRED_AGAIN).forEach(entry -> named.add(entry.key()));
        }
        return named;
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void ofTwoLogoutsAtOnceOneIsTold() throws Exception {
        int pairs = 1000;
        try (Cluster cluster = cluster(2)) {
            CyclicBarrier together = new CyclicBarrier(2);
            for (int i = 0; i < pairs; i++) {
                create(cluster, i % 2, "s" + i);
            }
            List<Future<Integer>> told = new ArrayList<>();
            for (int node = 0; node < 2; node++) {
                int at = node;
                told.add(threads.submit(() -> {
                    int times = 0;
                    for (int i = 0; i < pairs; i++) {
                        LiveSession session = find(cluster.sessions(at), "s" + i);
                        together.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                        times += logout(session) ? 1 : 0;
                        assertFalse(
                                session.valid(), () -> "over when the call returns: " + known(cluster, session.key()));
                        together.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    }
                    return times;
                }));
            }
            int sum = 0;
            List<Throwable> failures = new ArrayList<>();
            for (Future<Integer> node : told) {
                try {
                    sum += node.get();
                } catch (ExecutionException e) {
                    failures.add(e.getCause());
                }
            }
            assertEquals(List.of(), failures);
            assertEquals(pairs, sum);
            assertEachFired(pairs);
            assertEquals(0, cluster.node(0).metrics().value(Counter.ENDS_UNCONFIRMED));
        }
    }

    /** What each node knows of a session's end. */
    private static String known(Cluster cluster, SessionKey key) {
        StringBuilder all = new StringBuilder();
        for (int node = 0; node < 2; node++) {
            all.append("\n").append(cluster.node(node).gauges());
            cluster.sessions(node)
                    .audit()
                    .of(key)
                    .forEach(entry -> all.append("\n").append(entry));
        }
        return all.toString();
    }

    @Test
    void aUseOnAnotherNodeJustBeforeTheEndIsNotLost() {
        try (Cluster cluster = cluster(2)) {
            List<LiveSession> elsewhere = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                create(cluster, 0, "s" + i);
                elsewhere.add(find(cluster.sessions(1), "s" + i));
            }
            time.advance(Duration.ofSeconds(IDLE_SECONDS));
            for (LiveSession session : elsewhere) {
                long ticket = session.enter();
                session.commit();
                session.exit(ticket);
            }
            time.advance(Duration.ofMillis(300)); // The owner's timer, before or after the news.
            assertEquals(0, expire(cluster, 0));
            for (LiveSession session : elsewhere) {
                assertTrue(session.valid());
            }
        }
    }

    @Test
    void whileAMemberIsSilentNothingExpires() {
        try (Cluster cluster = cluster(3)) {
            create(cluster, 0, "s");
            cluster.awaitEqual(LIMIT);
            time.advance(OVERDUE);
            try (Fault pause = cluster.pause(2)) {
                assertEquals(0, expire(cluster, 0), pause + " must have a say");
            }
            awaitFired(cluster, 0, 1);
            assertEachFired(1);
        }
    }

    @Test
    void eachSideOfAPartitionFiresAtMostOnceAndNobodyAfterTheMerge() {
        try (Cluster cluster = cluster(2)) {
            LiveSession session = create(cluster, 0, "s");
            create(cluster, 1, "t");
            cluster.awaitEqual(LIMIT);
            Fault apart = cluster.partition(List.of(Set.of(0), Set.of(1)));
            cluster.awaitView(0, 1);
            cluster.awaitView(1, 1);
            time.advance(OVERDUE);
            awaitFired(cluster, 0, 2);
            Await.until(LIMIT, () -> fired, () -> {
                expire(cluster, 1);
                return fired.values().stream().mapToInt(AtomicInteger::get).sum() == 4;
            });
            apart.close();
            cluster.awaitView(0, 2);
            Await.until(
                    LIMIT,
                    () -> cluster.node(0).readiness(),
                    () -> cluster.node(0).readiness().ready());
            assertEquals(0, expire(cluster, 0) + expire(cluster, 1));
            assertFalse(session.valid());
        }
    }

    @Test
    void aMemberThatJoinsWhileSessionsAreClaimedKnowsIt() {
        try (Cluster cluster = cluster(3)) {
            create(cluster, 0, "s");
            cluster.awaitEqual(LIMIT);
            cluster.kill(2);
            cluster.awaitView(0, 2);
            time.advance(OVERDUE);
            LiveSession session = Due.of(cluster.sessions(0), 1).get(0);
            cluster.start(2);
            assertEquals(Admission.PROCEED, cluster.sessions(2).admit("s"));
            assertNull(cluster.sessions(2).find("s"));
            assertTrue(session.beginExpiry());
            session.expire().await();
            Await.until(
                    LIMIT,
                    () -> cluster.node(2).gauges(),
                    () -> cluster.node(2).gauges().get("ends_promised") == 0);
            assertNull(cluster.sessions(2).find("s"));
        }
    }
}
