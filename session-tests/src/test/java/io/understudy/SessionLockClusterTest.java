package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.lock.SessionLock;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The session lock over real channels on loopback, several nodes in this JVM. */
@Tag("cluster")
class SessionLockClusterTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final int CLIENTS = 10;
    private static final int INCREMENTS = 1000;
    private static final String ID = "a";

    private final List<Understudy> nodes = new ArrayList<>();
    private final List<ReplicatedSessions> sessions = new ArrayList<>();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

    @AfterEach
    void close() {
        clients.shutdownNow();
        nodes.forEach(Understudy::close);
    }

    private void start(int count, Map<Setting, String> settings) {
        LoopbackCluster.configs(count, settings).forEach(config -> {
            Understudy node = NodeStart.start(config);
            nodes.add(node);
            sessions.add(node.join("/shop", getClass()::getClassLoader));
            Await.until(LIMIT, node::readiness, () -> node.readiness().ready());
        });
        LiveSession session = sessions.get(0).create(ID, 1800);
        session.attributes().put("count", new int[1]);
        session.commit().await();
        // What was committed without the lock, and without waiting, may still be under way.
        for (ReplicatedSessions node : sessions) {
            Await.until(LIMIT, node::application, () -> node.contains(ID));
        }
    }

    /** A request that reads the count, and writes one more. */
    private Outcome increment(int node) {
        ReplicatedSessions application = sessions.get(node);
        try (SessionLock lock = application.lock(ID)) {
            assertFalse(lock.timedOut());
            LiveSession session = Objects.requireNonNull(application.find(ID));
            long ticket = session.enter();
            try {
                int[] count =
                        (int[]) Objects.requireNonNull(session.attributes().get("count"));
                count[0]++;
                return session.commit().await();
            } finally {
                session.exit(ticket);
            }
        }
    }

    private int count(int node) {
        LiveSession session = Objects.requireNonNull(sessions.get(node).find(ID));
        return ((int[]) Objects.requireNonNull(session.attributes().get("count")))[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"coherent", "incoherent"})
    void tenClientsThroughTwoNodesCountExactly(String coherence) throws Exception {
        start(3, Map.of(Setting.COHERENCE, coherence, Setting.LOCK_TIMEOUT, "60s"));
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            done.add(clients.submit(() -> {
                for (int n = 0; n < INCREMENTS / CLIENTS; n++) {
                    increment((client + n) % 2);
                }
            }));
        }
        for (Future<?> client : done) {
            client.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        for (int node = 0; node < 3; node++) {
            int at = node;
            Await.until(LIMIT, () -> "node " + at + ": " + count(at), () -> count(at) == INCREMENTS);
            Await.until(
                    LIMIT,
                    () -> nodes.get(at).gauges(),
                    () -> nodes.get(at).gauges().get("locks_held") == 0);
        }
    }

    /** A node leaves while its requests hold and want the lock, and while it is the home of some: the others go on. */
    @Test
    void aNodeThatClosesTakesNoAcknowledgedIncrementWithIt() throws Exception {
        start(3, Map.of(Setting.LOCK_TIMEOUT, "20s"));
        AtomicInteger acknowledged = new AtomicInteger();
        Map<Integer, Queue<String>> unknown =
                Map.of(0, new ConcurrentLinkedQueue<>(), 1, new ConcurrentLinkedQueue<>());
        Map<Integer, CountDownLatch> half =
                Map.of(0, new CountDownLatch(INCREMENTS / 4), 1, new CountDownLatch(INCREMENTS / 4));
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int node = i % 2;
            done.add(clients.submit(() -> {
                for (int n = 0; n < INCREMENTS / CLIENTS; n++) {
                    String ended = increments(node);
                    if (!ended.equals("ACKNOWLEDGED")) {
                        unknown.get(node).add(ended);
                        return; // Its node is closing, and what became of this one is open.
                    }
                    acknowledged.incrementAndGet();
                    half.get(node).countDown();
                }
            }));
        }
        for (CountDownLatch each : half.values()) {
            assertTrue(each.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
        nodes.get(1).close();
        for (Future<?> client : done) {
            client.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertTrue(
                acknowledged.get() >= INCREMENTS / 2 + INCREMENTS / 4,
                "the other node's clients went on: " + acknowledged);
        assertEquals(List.of(), List.copyOf(unknown.get(0)), "only the closed node's clients stopped");
        for (int node : new int[] {0, 2}) {
            int counted = count(node);
            assertTrue(
                    counted >= acknowledged.get()
                            && counted <= acknowledged.get() + unknown.get(1).size(),
                    counted + " on node " + node + " of " + acknowledged + " and perhaps " + unknown);
        }
    }

    private String increments(int node) {
        try {
            return increment(node).name();
        } catch (AssertionError | RuntimeException e) {
            return e.toString();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whoWaitsTooLongIsToldAndDisturbsNobody(int other) throws Exception {
        start(2, Map.of(Setting.LOCK_TIMEOUT, "60s"));
        SessionLock held = sessions.get(0).lock(ID);
        assertFalse(held.timedOut());
        Understudy node = nodes.get(other);
        ReplicatedSessions impatient = node.join(
                "/shop",
                getClass()::getClassLoader,
                node.config().application().with(Setting.LOCK_TIMEOUT.key(), "100ms"));
        SessionLock late = inAnotherThread(() -> impatient.lock(ID));
        assertTrue(late.timedOut());
        assertEquals(0, late.fence());
        assertEquals(1, nodes.get(other).metrics().value(Counter.LOCKS_TIMED_OUT));
        late.close();
        held.close();
        held.close();
        SessionLock next = inAnotherThread(() -> sessions.get(other).lock(ID));
        assertFalse(next.timedOut());
        assertTrue(next.fence() > held.fence(), "fence " + next.fence() + " after " + held.fence());
        next.close();
        assertEquals(0, nodes.get(other).gauges().get("locks_waiting"));
    }

    /** A hold that ended in the middle of the queue, of a client that gave up, must not stop the queue. */
    @Test
    void everyWaiterGetsItsTurn() throws Exception {
        start(2, Map.of(Setting.LOCK_TIMEOUT, "20s"));
        SessionLock held = sessions.get(0).lock(ID);
        Set<Long> fences = new HashSet<>();
        List<Future<SessionLock>> waiting = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int node = i % 2;
            waiting.add(clients.submit(() -> {
                SessionLock lock = sessions.get(node).lock(ID);
                lock.close();
                return lock;
            }));
        }
        Await.until(
                LIMIT, () -> nodes.get(1).gauges(), () -> nodes.get(1).gauges().get("locks_waiting") == CLIENTS / 2);
        held.close();
        for (Future<SessionLock> lock : waiting) {
            fences.add(lock.get(LIMIT.toSeconds(), TimeUnit.SECONDS).fence());
        }
        assertEquals(CLIENTS, fences.size());
        assertTrue(fences.stream().allMatch(fence -> fence > held.fence()));
    }

    @Test
    void locksOfDifferentSessionsDoNotWaitForEachOther() throws Exception {
        start(2, Map.of(Setting.LOCK_TIMEOUT, "20s"));
        for (int i = 0; i < 50; i++) {
            assertNotNull(sessions.get(0).create("other" + i, 1800).commit().await());
        }
        try (SessionLock held = sessions.get(0).lock(ID)) {
            assertFalse(held.timedOut());
            for (int i = 0; i < 50; i++) {
                String id = "other" + i;
                SessionLock lock = inAnotherThread(() -> sessions.get(1).lock(id));
                assertTrue(lock.fence() > 0);
                lock.close();
            }
        }
    }

    @Test
    void anUnknownIdNeedsNoLock() {
        start(1, Map.of());
        try (SessionLock first = sessions.get(0).lock("unknown");
                SessionLock second = sessions.get(0).lock("unknown")) {
            assertFalse(first.timedOut() || second.timedOut());
            assertEquals(0, second.fence());
        }
    }

    private <T> T inAnotherThread(Callable<T> work) throws Exception {
        return clients.submit(work).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
}
