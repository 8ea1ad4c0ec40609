package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.WireText;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.faults.Cluster;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that a client may choose where an application makes them of input. */
@Tag("cluster")
@Timeout(300)
class OddNamesTest {

    /** Half of an emoji, as {@code substring} makes it. */
    private static final String HALF = "draft:\uD83D";

    private static final String WHOLE = "draft:\uD83D\uDE00";

    private static long stayed(Cluster cluster) {
        return cluster.node(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED);
    }

    @Test
    void anAttributeWithHalfACharacterStaysOnItsNode() {
        try (Cluster cluster = Cluster.of(2, 3, Map.of());
                LogLines log = new LogLines("io.understudy")) {
            LiveSession session = cluster.sessions(0).create("a", 1800);
            Outcome outcome = use(session, () -> {
                session.attributes().put("draft:hello", 1);
                session.attributes().put(HALF, 2);
                session.attributes().put(WHOLE, "\uDE00\uD83D");
            });
            assertEquals(Outcome.ACKNOWLEDGED, outcome);
            assertEquals(2, session.attributes().get(HALF), "it works here");
            assertEquals(
                    Map.of("draft:hello", 1, WHOLE, "\uDE00\uD83D"),
                    Map.copyOf(find(cluster.sessions(1), "a").attributes()));
            assertEquals(1, stayed(cluster));
            assertEquals(
                    1,
                    log.with("WARNING", "'draft:\\uD83D'", "stays on this node").size(),
                    "escaped");
            cluster.start(2);
            assertEquals(
                    Set.of("draft:hello", WHOLE),
                    find(cluster.sessions(2), "a").attributes().keySet());
        }
    }

    @Test
    void anAttributeThatStayedCanBeRemoved() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            LiveSession session = cluster.sessions(0).create("a", 1800);
            put(session, HALF, 1);
            assertEquals(
                    Outcome.UNCHANGED, use(session, () -> session.attributes().remove(HALF)));
            assertNull(session.attributes().get(HALF));
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "b", 1));
            assertEquals(1, stayed(cluster));
        }
    }

    @Test
    void anIdWithHalfACharacterIsRefused() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            ReplicatedSessions sessions = cluster.sessions(0);
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> sessions.create("a\uDE00", 1800));
            assertTrue(String.valueOf(refused.getMessage()).contains("a\\uDE00"), refused.getMessage());
            LiveSession session = sessions.create("a", 1800);
            put(session, "n", 1);
            assertThrows(IllegalArgumentException.class, () -> session.rename("\uD83Db"));
            assertEquals("a", session.id());
            assertEquals(Outcome.ACKNOWLEDGED, session.rename("\uD83D\uDE00").await());
            assertNotNull(cluster.sessions(1).find("\uD83D\uDE00"));
        }
    }

    @Test
    void anApplicationWithHalfACharacterIsRefused() {
        try (Cluster cluster = Cluster.of(1, Map.of())) {
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> cluster.node(0).join("/shop\uD83D", OddNamesTest.class::getClassLoader));
            assertTrue(String.valueOf(refused.getMessage()).contains("/shop\\uD83D"), refused.getMessage());
        }
    }

    /** Of letters, U+0000, marks of all lengths in UTF-8, whole pairs and halves. */
    private static String arbitrary(Random random) {
        String[] pieces = {"a", "?", "\0", "\u007F", "é", "中", "\uFFFF", WHOLE, "\uD83D", "\uDE00"};
        StringBuilder name = new StringBuilder();
        for (int i = random.nextInt(5); i >= 0; i--) {
            name.append(pieces[random.nextInt(pieces.length)]);
        }
        return name.toString();
    }

    @Test
    void whateverItsNamesASessionTravels() {
        Random random = new Random(20261125);
        try (Cluster cluster = Cluster.of(2, 3, Map.of())) {
            Map<String, Map<String, Object>> expected = new HashMap<>();
            for (int i = 0; i < 200; i++) {
                String id = "s" + i;
                Map<String, Object> values = new HashMap<>();
                for (int j = random.nextInt(8); j >= 0; j--) {
                    values.put(arbitrary(random), arbitrary(random));
                }
                LiveSession session = cluster.sessions(0).create(id, 1800);
                Outcome outcome = use(session, () -> session.attributes().putAll(values));
                values.keySet().removeIf(name -> WireText.objection(name) != null);
                assertEquals(Outcome.ACKNOWLEDGED, outcome, () -> id + " with " + values.keySet());
                expected.put(id, values);
            }
            cluster.start(2);
            for (int node = 1; node < 3; node++) {
                ReplicatedSessions sessions = cluster.sessions(node);
                expected.forEach((id, values) ->
                        assertEquals(values, Map.copyOf(find(sessions, id).attributes()), id));
            }
        }
    }

    /** Where a length takes another byte, and where it takes more than one frame. */
    @ParameterizedTest
    @ValueSource(ints = {64, 65, 127, 128, 16_383, 16_384, 70_000, 600_000})
    void aLongNameTravels(int length) {
        try (Cluster cluster = Cluster.of(2, 3, Map.of())) {
            String name = "é".repeat(length);
            LiveSession session = cluster.sessions(0).create("a", 1800);
            assertEquals(Outcome.ACKNOWLEDGED, put(session, name, 1));
            assertEquals(
                    Set.of(name), find(cluster.sessions(1), "a").attributes().keySet());
            cluster.start(2);
            assertEquals(
                    Set.of(name), find(cluster.sessions(2), "a").attributes().keySet());
        }
    }
}
