package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.Commit.Outcome;
import io.understudy.config.Coherence;
import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions without attributes, as crawlers leave them behind. */
class EmptySessionsTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** So long that no announcement goes out by itself. */
    private static final String NEVER = "1h";

    private final List<Understudy> nodes = new ArrayList<>();
    private final List<ReplicatedSessions> applications = new ArrayList<>();

    private void start(String touchInterval, Map<Setting, String> more) {
        Map<Setting, String> settings = new HashMap<>(more);
        settings.put(Setting.TOUCH_INTERVAL, touchInterval);
        settings.putIfAbsent(Setting.COHERENCE, "incoherent");
        LoopbackCluster.configs(2, settings).forEach(config -> {
            Understudy node = Understudy.start(config);
            nodes.add(node);
            applications.add(node.join("/shop", getClass()::getClassLoader));
            Await.until(LIMIT, node::readiness, () -> node.readiness().ready());
        });
    }

    @AfterEach
    void close() {
        nodes.forEach(Understudy::close);
    }

    private LiveSession visit(int node, String id) {
        LiveSession session = applications.get(node).create(id, 1800);
        long ticket = session.enter();
        assertEquals(Outcome.UNCHANGED, session.commit().await());
        session.exit(ticket);
        return session;
    }

    private long count(Counter counter) {
        return nodes.get(0).metrics().value(counter);
    }

    private boolean there(String id) {
        return applications.get(1).contains(id);
    }

    @Test
    void theyAreAnnouncedTogetherAndNotSentOneByOne() {
        start("500ms", Map.of());
        for (int i = 0; i < 1000; i++) {
            visit(0, "s" + i);
        }
        Await.until(
                LIMIT,
                () -> applications.get(1).ids().size(),
                () -> applications.get(1).ids().size() == 1000);
        assertEquals(1000, count(Counter.SESSIONS_ANNOUNCED));
        assertEquals(0, count(Counter.DELTAS_SENT));
        LiveSession there = found(applications.get(1).find("s7"));
        assertEquals(1800, there.maxInactiveSeconds());
        assertEquals(applications.get(0).find("s7").key(), there.key());
        there.attributes().put("user", "ada");
        there.rename("logged-in").await();
        Await.until(
                LIMIT,
                () -> applications.get(0).ids().size(),
                () -> applications.get(0).contains("logged-in"));
        assertEquals(there.key(), applications.get(0).find("logged-in").key(), "one session");
        assertEquals("ada", applications.get(0).find("logged-in").attributes().get("user"));
        assertFalse(applications.get(0).contains("s7"));
    }

    private static LiveSession found(LiveSession session) {
        assertNotNull(session);
        return session;
    }

    @Test
    void theFirstChangeOfOneThatWasNotAnnouncedCarriesItWhole() {
        start(NEVER, Map.of());
        LiveSession session = visit(0, "a");
        assertFalse(there("a"));
        assertEquals(1, nodes.get(0).gauges().get("sessions_at_risk"), "it would be lost now");
        long ticket = session.enter();
        session.attributes().put("user", "ada");
        session.commit().await();
        session.exit(ticket);
        Await.until(LIMIT, () -> "not there", () -> there("a"));
        assertEquals("ada", applications.get(1).find("a").attributes().get("user"));
        Await.until(
                LIMIT,
                () -> nodes.get(0).gauges().toString(),
                () -> nodes.get(0).gauges().get("sessions_at_risk") == 0);
    }

    @Test
    void aRequestThatWaitsTellsTheOthersBefore() {
        start(NEVER, Map.of());
        LiveSession session = visit(0, "a");
        long ticket = session.enter();
        assertEquals(Outcome.ACKNOWLEDGED, session.commit(Coherence.COHERENT).await());
        session.exit(ticket);
        assertTrue(there("a"), "it was shown to a request that waits");
        assertEquals(
                Outcome.ACKNOWLEDGED,
                applications.get(0).create("b", 1800).commit(Coherence.COHERENT).await());
        assertTrue(there("b"));
        assertEquals(0, count(Counter.SESSIONS_ANNOUNCED));
    }

    @Test
    void theLastOnesAreAnnouncedWhenTheNodeStops() {
        start(NEVER, Map.of());
        visit(0, "a");
        visit(0, "ended").invalidate();
        nodes.get(0).close();
        Await.until(LIMIT, () -> "not there", () -> there("a"));
        assertNull(applications.get(1).find("ended"));
    }

    @Test
    void withReplicateEachIsSentAtOnce() {
        start(NEVER, Map.of(Setting.EMPTY_SESSIONS, "replicate"));
        applications.get(0).create("a", 1800).commit().await();
        Await.until(LIMIT, () -> "not there", () -> there("a"));
        assertEquals(0, count(Counter.SESSIONS_ANNOUNCED));
        assertEquals(1, count(Counter.DELTAS_SENT));
    }
}
