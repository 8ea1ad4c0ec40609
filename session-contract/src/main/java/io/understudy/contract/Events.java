package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import jakarta.servlet.http.HttpSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What listeners and attributes on all nodes of this JVM were told, in order, by session id. */
final class Events {

    private static final ConcurrentMap<String, List<String>> BY_SESSION = new ConcurrentHashMap<>();
    private static final CountDownLatch OPEN = new CountDownLatch(0);
    private static final ConcurrentMap<String, CountDownLatch> HELD = new ConcurrentHashMap<>();
    private static final Duration DEADLINE = Await.LIMIT;

    private Events() {}

    static void tell(HttpSession session, String event) {
        tell(session.getId(), event);
    }

    static void tell(String id, String event) {
        BY_SESSION.computeIfAbsent(id, first -> new CopyOnWriteArrayList<>()).add(event);
    }

    /** Whoever is told of the end of this session takes until the latch is open. */
    static CountDownLatch hold(String id) {
        CountDownLatch gate = new CountDownLatch(1);
        HELD.put(id, gate);
        return gate;
    }

    /** Takes as long as that. */
    static void awaitGate(String id) {
        try {
            assertTrue(HELD.getOrDefault(id, OPEN).await(DEADLINE.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static List<String> of(String id) {
        return List.copyOf(BY_SESSION.getOrDefault(id, List.of()));
    }

    /** Those that begin like this. */
    static List<String> of(String id, String beginning) {
        return of(id).stream().filter(event -> event.startsWith(beginning)).toList();
    }

    static void await(String id, String beginning) {
        Await.until(
                DEADLINE,
                () -> beginning + " of " + id + " among " + of(id),
                () -> !of(id, beginning).isEmpty());
    }
}
