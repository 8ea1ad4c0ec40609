package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that read and change nothing, on the node that set the attribute and on another. */
@Tag("cluster")
class ReadingTest {

    private static final int READINGS = 1000;

    private final List<Understudy> nodes = new ArrayList<>();
    private final List<ReplicatedSessions> sessions = new ArrayList<>();

    @BeforeEach
    void start() {
        for (UnderstudyConfig config : LoopbackCluster.configs(2, Map.of())) {
            Understudy node = NodeStart.start(config);
            nodes.add(node);
            sessions.add(node.join("/shop", getClass()::getClassLoader));
            Await.until(Await.LIMIT, node::readiness, () -> node.readiness().ready());
        }
    }

    @AfterEach
    void close() {
        nodes.forEach(Understudy::close);
    }

    /** Without equals and hashCode, as many are. */
    static final class Thing implements Serializable {
        private static final long serialVersionUID = 1L;
        int number;

        Thing(int number) {
            this.number = number;
        }
    }

    record Holder(Thing thing) implements Serializable {}

    record Address(String street, DayOfWeek delivery) implements Serializable {}

    static Stream<Arguments> tables() {
        List<Thing> things = IntStream.range(0, 20).mapToObj(Thing::new).toList();
        Set<Thing> set = new HashSet<>(things);
        Map<Thing, Integer> map = new HashMap<>();
        IdentityHashMap<Thing, Integer> identity = new IdentityHashMap<>();
        things.forEach(thing -> {
            map.put(thing, thing.number);
            identity.put(thing, thing.number);
        });
        return Stream.of(
                Arguments.of("strings", new HashSet<>(List.of("a", "b", "c"))),
                Arguments.of("enums", new HashSet<>(List.of(DayOfWeek.values()))),
                Arguments.of("hashed by identity", set),
                Arguments.of("keys hashed by identity", map),
                Arguments.of(
                        "hashed by what is hashed by identity",
                        things.stream().map(Holder::new).collect(Collectors.toCollection(HashSet::new))),
                Arguments.of("identity map", identity),
                Arguments.of("immutable", Set.copyOf(things)),
                Arguments.of("concurrent", new ConcurrentHashMap<>(map)),
                Arguments.of("inside", new ArrayList<>(List.of(Map.of("things", set)))),
                Arguments.of("by JDK serialization", Collections.unmodifiableSet(set)),
                Arguments.of("keys by JDK serialization", Collections.synchronizedMap(map)));
    }

    private LiveSession on(int node) {
        return find(sessions.get(node), "a");
    }

    private long sent() {
        return nodes.stream()
                .mapToLong(node -> node.metrics().value(Counter.DELTAS_SENT))
                .sum();
    }

    private long compared() {
        return nodes.stream()
                .mapToLong(node -> node.metrics().value(Counter.ATTRIBUTES_COMPARED))
                .sum();
    }

    private void read() {
        for (int node = 0; node < 2; node++) {
            for (int i = 0; i < READINGS; i++) {
                LiveSession session = on(node);
                assertEquals(
                        Outcome.UNCHANGED,
                        use(
                                session,
                                () -> assertFalse(session.attributes().values().contains("absent"))),
                        "on node " + node + ", request " + i);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    void aHashTableIsReadWithoutAChange(String kind, Object table) {
        LiveSession session = sessions.get(0).create("a", 1800);
        use(session, () -> session.attributes().put("table", table));
        long before = sent();
        read();
        assertEquals(before, sent(), kind);
        assertTrue(compared() >= 2 * READINGS, () -> "compared " + compared());
    }

    @Test
    void anElementThatChangesInPlaceIsFound() {
        LiveSession session = sessions.get(0).create("a", 1800);
        Set<Thing> things = IntStream.range(0, 20).mapToObj(Thing::new).collect(Collectors.toCollection(HashSet::new));
        use(session, () -> session.attributes().put("table", things));
        for (int i = 0; i < 20; i++) {
            LiveSession user = on(i % 2);
            assertEquals(
                    Outcome.ACKNOWLEDGED,
                    use(user, () -> things(user).iterator().next().number += 100));
            int changes = i + 1;
            for (int node = 0; node < 2; node++) {
                LiveSession reader = on(node);
                assertEquals(
                        190 + 100 * changes,
                        things(reader).stream().mapToInt(thing -> thing.number).sum());
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Set<Thing> things(LiveSession session) {
        return (Set<Thing>) session.attributes().get("table");
    }

    @Test
    void whatCanNotChangeIsNotEncodedAgain() {
        LiveSession session = sessions.get(0).create("a", 1800);
        use(session, () -> {
            session.attributes().put("user", "ann");
            session.attributes().put("count", 7);
            session.attributes().put("since", Instant.EPOCH);
            session.attributes().put("price", new BigDecimal("9.95"));
            session.attributes().put("address", new Address("12 St James's Square", DayOfWeek.MONDAY));
        });
        long before = sent();
        long compared = compared();
        read();
        assertEquals(before, sent());
        assertEquals(compared, compared());
    }

    /** A request settles more than once. */
    @Test
    void whatARequestSetsAndCanNotChangeIsEncodedOnce() {
        LiveSession session = sessions.get(0).create("a", 1800);
        long compared = compared();
        use(session, () -> {
            session.attributes().put("user", "ann");
            assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
            assertEquals(Outcome.UNCHANGED, session.commit().await());
        });
        assertEquals(compared, compared());
    }
}
