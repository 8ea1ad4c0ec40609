package io.understudy.session;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ends on other nodes, of which listeners are told where requests used the session. */
@Tag("cluster")
class EndsElsewhereTest {

    private static final int IDLE_SECONDS = 60;
    private static final Duration OVERDUE = Duration.ofSeconds(IDLE_SECONDS + 10);

    private final MovedTime time = new MovedTime();
    private Cluster cluster;

    /** What listeners of which node were told. */
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    private void start(String endEvents) {
        cluster = Cluster.of(3, Map.of(Setting.TOUCH_INTERVAL, "100ms", Setting.END_EVENTS, endEvents), time, 1);
        for (int i = 0; i < 3; i++) {
            int node = i;
            cluster.sessions(node).endsElsewhere(session -> listen(node, session));
        }
    }

    private void listen(int node, LiveSession session) {
        assertTrue(session.valid() && session.endedElsewhere());
        if ("fails".equals(session.id())) {
            throw new NoClassDefFoundError("a/test's");
        }
        told.add(node + " " + session.id() + " " + session.attributes().get("user") + " "
                + session.maxInactiveSeconds());
    }

    /** A session that requests used on the first and second node. */
    private void begin(String id) {
        put(cluster.sessions(0).create(id, IDLE_SECONDS), "user", "ada");
        put(find(cluster.sessions(1), id), "cart", 1);
    }

    private void logout(int node, String id) {
        LiveSession session = find(cluster.sessions(node), id);
        assertTrue(session.beginEnd());
        session.invalidate().await();
    }

    private long followed() {
        long followed = 0;
        for (int node = 0; node < 3; node++) {
            followed += cluster.node(node).metrics().value(Counter.ENDS_FOLLOWED);
        }
        return followed;
    }

    private void awaitTold(List<String> expected) {
        Await.until(Await.LIMIT, told::toString, () -> told.size() >= expected.size());
        assertEquals(expected, List.copyOf(told));
        assertEquals(expected.size(), followed());
        for (int node = 0; node < 3; node++) {
            assertEquals(0, cluster.sessions(node).services().endsElsewhere().known());
        }
    }

    @Test
    void aLogoutIsToldWhereRequestsUsedTheSession() {
        start("everywhere");
        begin("a");
        logout(0, "a");
        awaitTold(List.of("1 a ada 60"));
    }

    @Test
    void aLogoutWhereNoRequestUsedItBeforeIsToldOnAllThatKnowIt() {
        start("everywhere");
        begin("a");
        logout(2, "a");
        Await.until(Await.LIMIT, told::toString, () -> told.size() == 2);
        assertEquals(List.of("0 a ada 60", "1 a ada 60"), told.stream().sorted().toList());
    }

    @Test
    void anExpiryIsToldElsewhere() {
        start("everywhere");
        begin("a");
        time.advance(OVERDUE);
        Await.until(Await.LIMIT, told::toString, () -> {
            for (LiveSession due : cluster.sessions(1).expirable()) {
                assertTrue(due.beginExpiry());
                due.expire().await();
            }
            return !told.isEmpty();
        });
        awaitTold(List.of("0 a ada 60"));
    }

    @Test
    void onceIsTheNodeThatEndsIt() {
        start("once");
        begin("a");
        logout(0, "a");
        assertFalse(cluster.sessions(1).contains("a"));
        awaitTold(List.of());
    }

    @Test
    void afterItsListenersTheSessionIsOver() {
        start("everywhere");
        begin("a");
        LiveSession there = find(cluster.sessions(1), "a");
        logout(0, "a");
        awaitTold(List.of("1 a ada 60"));
        Await.until(Await.LIMIT, there::toString, () -> !there.valid() && !there.endedElsewhere());
    }

    @Test
    void aListenerThatFailsKeepsNoOtherFromBeingTold() {
        start("everywhere");
        begin("fails");
        begin("b");
        logout(0, "fails");
        logout(0, "b");
        Await.until(Await.LIMIT, told::toString, () -> told.size() == 1 && followed() == 2);
        assertEquals(List.of("1 b ada 60"), List.copyOf(told));
    }
}
