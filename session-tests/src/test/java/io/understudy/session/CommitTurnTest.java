package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Vector;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thread in the monitor of an attribute commits, while another commit waits for that monitor to encode the attribute. */
@Tag("cluster")
class CommitTurnTest {

    private final Cluster cluster = Cluster.of(2, Map.of(Setting.ACK_TIMEOUT, "1s"));
    private final LiveSession session = cluster.sessions(0).create("a", 1800);

    @AfterEach
    void close() {
        cluster.close();
    }

    @SuppressWarnings("JdkObsolete") // It locks its own monitor while it is read.
    private void putAll() {
        session.attributes().put("a", new ArrayList<>(List.of("first"))); // Commits look at this one before the next.
        session.attributes().put("b", new Vector<>(List.of("first")));
    }

    @SuppressWarnings("unchecked")
    private List<Object> list(long ticket, String name) {
        return (List<Object>) Objects.requireNonNull(session.attributes(ticket).get(name));
    }

    private List<Object> listThere(String name) {
        Object value =
                SessionRequest.find(cluster.sessions(1), "a").attributes().get(name);
        return value instanceof List<?> list ? List.copyOf(list) : List.of();
    }

    /** Runs a request that has the attributes, and does something in the monitor of one while a commit waits for that. */
    private void inTheMonitor(Consumer<Long> work) {
        AtomicReference<Thread> other = new AtomicReference<>();
        CompletableFuture<Void> one = Beside.run(() -> {
            long ticket = session.enter();
            List<Object> locked = list(ticket, "b");
            list(ticket, "a");
            CompletableFuture<Void> two;
            synchronized (locked) {
                two = Beside.run(() -> {
                    other.set(Thread.currentThread());
                    SessionRequest.use(session, () -> {});
                });
                Await.that("the other commit waits for the monitor", () -> {
                    Thread waiting = other.get();
                    return waiting != null && waiting.getState() == Thread.State.BLOCKED;
                });
                work.accept(ticket);
                session.exit(ticket);
            }
            two.join();
        });
        one.orTimeout(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    @Test
    void aCommitInAMonitorOfAnAttributeEnds() {
        SessionRequest.use(session, this::putAll);
        try (LogLines log = new LogLines("io.understudy.session")) {
            inTheMonitor(ticket -> {
                Thread.currentThread().interrupt();
                Outcome outcome = session.commit().await();
                assertTrue(Thread.interrupted(), "it stays interrupted");
                assertEquals(Outcome.DEGRADED, outcome);
            });
            assertEquals(1, log.with("WARNING", "ackTimeout").size());
        }
    }

    /** No request of the session follows, and the one that made the changes has ended. */
    @Test
    void whatItLeavesIsSentWithoutAnotherRequest() {
        SessionRequest.use(session, this::putAll);
        inTheMonitor(ticket -> {
            list(ticket, "a").add("in place");
            session.attributes(ticket).put("c", "set");
            session.commit();
        });
        cluster.sessions(0).expirable();
        Await.that("the change in place is there", () -> listThere("a").contains("in place"));
        assertEquals(
                "set",
                SessionRequest.find(cluster.sessions(1), "a").attributes().get("c"));
    }

    @Test
    void whatItLeavesIsWatchedUntilACommitIsMade() {
        SessionRequest.use(session, this::putAll);
        inTheMonitor(ticket -> {
            list(ticket, "a").add("in place");
            session.commit();
        });
        cluster.sessions(0).expirable();
        Await.that("the change in place is there", () -> listThere("a").contains("in place"));
        SessionRequest.use(session, () -> {});
        long compared = cluster.node(0).metrics().value(Counter.ATTRIBUTES_COMPARED);
        SessionRequest.use(session, () -> {});
        assertEquals(compared, cluster.node(0).metrics().value(Counter.ATTRIBUTES_COMPARED));
    }

    private void endsInTheMonitor() {
        inTheMonitor(ticket -> {
            assertTrue(session.beginEnd());
            session.invalidate();
        });
        assertFalse(session.valid());
        assertNull(cluster.sessions(0).find("a"));
        Await.that("the other node knows of the end", () -> cluster.sessions(1).find("a") == null);
        cluster.awaitEqual(Await.LIMIT);
        assertNull(cluster.sessions(1).find("a"));
    }

    @Test
    void aSessionEndsInAMonitorOfItsAttribute() {
        SessionRequest.use(session, this::putAll);
        endsInTheMonitor();
    }

    /** The commit that waits is about to announce it. */
    @Test
    void aNewSessionEndsInAMonitorOfItsAttribute() {
        putAll();
        endsInTheMonitor();
    }

    @Test
    void anIdChangesInAMonitorOfAnAttribute() {
        SessionRequest.use(session, this::putAll);
        inTheMonitor(ticket -> session.rename("b"));
        assertEquals("b", session.id());
        Await.that("the other node knows the id", () -> cluster.sessions(1).find("b") != null);
        assertNull(cluster.sessions(1).find("a"));
    }

    @Test
    void theIdOfANewSessionChangesInAMonitor() {
        putAll();
        inTheMonitor(ticket -> session.rename("b"));
        Await.that("the other node has it under the new id", () -> {
            LiveSession there = cluster.sessions(1).find("b");
            return there != null && List.of("first").equals(there.attributes().get("b"));
        });
        assertNull(cluster.sessions(1).find("a"));
    }
}
