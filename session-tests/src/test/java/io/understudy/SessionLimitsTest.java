package io.understudy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attributes above {@code maxAttributeBytes}, and those that would make a session larger than {@code maxSessionBytes}. */
@Tag("cluster")
class SessionLimitsTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final List<Understudy> nodes = new ArrayList<>();
    private final List<ReplicatedSessions> applications = new ArrayList<>();

    @BeforeEach
    void start() {
        LoopbackCluster.configs(2, Map.of(Setting.MAX_SESSION_BYTES, "10000", Setting.MAX_ATTRIBUTE_BYTES, "20000"))
                .forEach(config -> {
                    Understudy node = NodeStart.start(config);
                    nodes.add(node);
                    applications.add(node.join("/shop", getClass()::getClassLoader));
                    Await.until(LIMIT, node::readiness, () -> node.readiness().ready());
                });
    }

    @AfterEach
    void close() {
        nodes.forEach(Understudy::close);
    }

    private static void put(LiveSession session, String name, int bytes) {
        put(session, name, bytes, Outcome.ACKNOWLEDGED);
    }

    private static void put(LiveSession session, String name, int bytes, Outcome expected) {
        long ticket = session.enter();
        session.attributes(ticket).put(name, new byte[bytes]);
        assertEquals(expected, session.commit().await());
        session.exit(ticket);
    }

    private LiveSession there() {
        return Objects.requireNonNull(applications.get(1).find("a"));
    }

    private long notReplicated() {
        return nodes.get(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED);
    }

    @Test
    void whatWouldMakeItTooLargeStaysHereAndTheRestReplicates() {
        LiveSession session = applications.get(0).create("a", 1800);
        put(session, "first", 6000);
        long ticket = session.enter();
        session.attributes(ticket).put("second", new byte[6000]);
        session.attributes(ticket).put("third", new byte[1000]);
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        session.exit(ticket);
        assertEquals(1, notReplicated());
        assertArrayEquals(new byte[6000], (byte[]) session.attributes().get("second"), "it works here");
        assertNull(there().attributes().get("second"));
        assertArrayEquals(new byte[1000], (byte[]) there().attributes().get("third"));
        assertArrayEquals(new byte[6000], (byte[]) there().attributes().get("first"));
    }

    @Test
    void whereRoomWasMadeItReplicatesWhenItIsSetAgain() {
        LiveSession session = applications.get(0).create("a", 1800);
        put(session, "first", 6000);
        session.attributes().remove("first");
        put(session, "second", 9000);
        put(session, "second", 9500);
        assertEquals(0, notReplicated(), "what is replaced or removed does not count");
        assertArrayEquals(new byte[9500], (byte[]) there().attributes().get("second"));
        put(session, "second", 12_000);
        assertNull(there().attributes().get("second"), "the old one is withdrawn");
        assertEquals(1, notReplicated());
        put(session, "second", 100);
        assertArrayEquals(new byte[100], (byte[]) there().attributes().get("second"));
    }

    @Test
    void anAttributeAboveItsLimitIsNamedWithTheLimit() {
        LiveSession session = applications.get(0).create("a", 1800);
        put(session, "first", 1000);
        try (LogLines log = new LogLines("io.understudy.session.failures")) {
            put(session, "large", 100 << 20, Outcome.UNCHANGED);
            put(session, "large", 30_000, Outcome.UNCHANGED);
            assertEquals(
                    1,
                    log.with("WARNING", "'large' of class [B stays on this node", "exceeds maxAttributeBytes = 20000")
                            .size());
        }
        assertEquals(2, notReplicated());
        assertNull(there().attributes().get("large"));
        put(session, "large", 2000);
        assertArrayEquals(new byte[2000], (byte[]) there().attributes().get("large"));
    }

    @Test
    void aListThatIsCutDownInPlaceTravelsThen() {
        LiveSession session = applications.get(0).create("a", 1800);
        put(session, "first", 1000);
        long ticket = session.enter();
        session.attributes(ticket).put("list", new ArrayList<>(List.of(new byte[30_000], "kept")));
        assertEquals(Outcome.UNCHANGED, session.commit().await());
        session.exit(ticket);
        assertNull(there().attributes().get("list"));
        ticket = session.enter();
        ((List<?>) Objects.requireNonNull(session.attributes(ticket).get("list"))).remove(0);
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        session.exit(ticket);
        assertEquals(List.of("kept"), there().attributes().get("list"));
    }
}
