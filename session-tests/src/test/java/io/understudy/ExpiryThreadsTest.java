package io.understudy;

import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.session.Admission;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import io.understudy.wire.Frame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many sessions that are due at once: threads of the node end them beside each other, each once. */
@Tag("cluster")
@Timeout(300)
class ExpiryThreadsTest {

    private static final int IDLE_SECONDS = 60;
    private static final Duration OVERDUE = Duration.ofSeconds(IDLE_SECONDS + 10);

    /** Opened when listeners may go on. */
    private final CountDownLatch gate = new CountDownLatch(1);

    /** How often the end of each session was told, on any node. */
    private final Map<String, AtomicInteger> told = new ConcurrentHashMap<>();

    private final MovedTime time = new MovedTime();
    private final Cluster cluster =
            Cluster.of(2, Map.of(Setting.TOUCH_INTERVAL, "100ms", Setting.ACK_TIMEOUT, "60s"), time, 1);

    @AfterEach
    void close() {
        gate.countDown();
        cluster.close();
    }

    private List<String> overdue(int sessions) {
        List<String> ids =
                IntStream.range(0, sessions).mapToObj(number -> "s" + number).toList();
        ids.forEach(id -> put(cluster.sessions(0).create(id, IDLE_SECONDS), "used", 1));
        cluster.awaitEqual(Await.LIMIT);
        time.advance(OVERDUE);
        return ids;
    }

    /** What a container does for each. */
    private void end(LiveSession session, Runnable listener) {
        if (session.beginExpiry()) {
            told.computeIfAbsent(session.id(), id -> new AtomicInteger()).incrementAndGet();
            listener.run();
            session.expire();
        }
    }

    private void awaitGate() {
        try {
            assertTrue(gate.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitTold(int sessions, Consumer<LiveSession> end) {
        Await.until(Await.LIMIT, () -> told.size() + " of " + sessions, () -> {
            cluster.sessions(0).expire(end);
            return told.size() == sessions
                    && cluster.sessions(0).ids().isEmpty()
                    && cluster.sessions(1).ids().isEmpty();
        });
        told.forEach((id, times) -> assertEquals(1, times.get(), "destroy events of " + id));
    }

    @Test
    void listenersOfEightSessionsRunAtOnce() {
        overdue(20);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Consumer<LiveSession> end = session -> end(session, () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            awaitGate();
            running.decrementAndGet();
        });
        Await.until(Await.LIMIT, running::get, () -> {
            cluster.sessions(0).expire(end);
            return running.get() == 8;
        });
        cluster.sessions(0).expire(end);
        gate.countDown();
        awaitTold(20, end);
        assertEquals(8, most.get());
    }

    /** A request that comes in time for a claimed session waits for its end. */
    @Test
    void fewerSessionsAreClaimedThanAreDue() {
        overdue(600);
        Consumer<LiveSession> end = session -> end(session, this::awaitGate);
        Await.until(Await.LIMIT, told::size, () -> {
            cluster.sessions(0).expire(end);
            return told.size() == 8;
        });
        long claims = cluster.node(0).gauges().get("ends_claimed");
        assertTrue(claims <= 256, claims + " claims");
        gate.countDown();
        awaitTold(600, end);
    }

    @Test
    void aListenerThatTakesLongHoldsUpNoOtherSession() {
        List<String> ids = overdue(700); // Some batches.
        Consumer<LiveSession> end = session -> end(session, () -> {
            if (session.id().equals(ids.get(0))) {
                awaitGate();
            }
        });
        Await.until(Await.LIMIT, told::size, () -> {
            cluster.sessions(0).expire(end);
            return cluster.sessions(0).ids().size() == 1 && told.size() == 700;
        });
        overdueLater(end);
        gate.countDown();
        awaitTold(710, end);
    }

    /** The next look finds what became due meanwhile. */
    private void overdueLater(Consumer<LiveSession> end) {
        for (int i = 0; i < 10; i++) {
            put(cluster.sessions(0).create("later" + i, IDLE_SECONDS), "used", 1);
        }
        time.advance(OVERDUE);
        Await.until(Await.LIMIT, told::size, () -> {
            cluster.sessions(0).expire(end);
            return told.size() == 710;
        });
    }

    @Test
    void aListenerThatFailsKeepsNoOtherSessionFromEnding() {
        overdue(50);
        Consumer<LiveSession> end = session -> {
            try {
                end(session, () -> Thread.currentThread().interrupt());
            } finally {
                if (told.size() % 2 == 0) {
                    failed();
                }
            }
        };
        awaitTold(50, end);
    }

    private static void failed() {
        throw new AssertionError("of a listener");
    }

    @Test
    void requestsThatFindSessionsOverdueHaveThemEndedOnce() {
        List<String> ids = overdue(300);
        Consumer<LiveSession> end = session -> end(session, () -> {});
        List<CompletableFuture<Void>> requests = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            ReplicatedSessions sessions = cluster.sessions(node);
            requests.add(Beside.run(() -> ids.forEach(id -> {
                assertEquals(Admission.PROCEED, sessions.admit(id));
                LiveSession session = sessions.find(id);
                if (session != null && session.overdue()) {
                    sessions.expireSoon(session, end);
                }
            })));
        }
        cluster.sessions(0).expire(end);
        requests.forEach(CompletableFuture::join);
        awaitTold(300, end);
    }

    /** Another member does not acknowledge ends; if the node died now it would end these sessions again. */
    @Test
    void fewSessionsAreEndedBeforeOthersKnow() {
        overdue(200);
        AtomicReference<@Nullable Fault> silent = new AtomicReference<>();
        AtomicLong most = new AtomicLong();
        Consumer<LiveSession> end = session -> end(session, () -> {
            synchronized (silent) {
                if (silent.get() == null) {
                    silent.set(cluster.lose(0, 1, Frame.Acks.class));
                }
            }
            most.accumulateAndGet(cluster.node(0).gauges().get("ends_at_risk"), Math::max);
        });
        Await.until(Await.LIMIT, most::get, () -> {
            if (silent.get() == null) { // Votes that came too late for one look come for the next.
                cluster.sessions(0).expire(end);
            }
            return most.get() >= 24;
        });
        assertFalse(told.size() > 31, told.size() + " told");
        silent.get().close();
        awaitTold(200, end);
        assertTrue(most.get() <= 31, most + " at risk");
        Await.until(
                Await.LIMIT,
                () -> cluster.node(0).gauges(),
                () -> cluster.node(0).gauges().get("ends_at_risk") == 0);
    }
}
