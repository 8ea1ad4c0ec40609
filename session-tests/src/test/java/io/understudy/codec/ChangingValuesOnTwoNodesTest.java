package io.understudy.codec;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.Containers.Promise;
import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values in a session that {@linkplain Writers three threads} change while requests commit it. After each commit the
 * other node is looked at. The time stands still, so that no value is put off for too long.
 */
@Tag("cluster")
class ChangingValuesOnTwoNodesTest {

    private static final AtomicInteger SESSIONS = new AtomicInteger();

    private static @Nullable Cluster cluster;

    static Stream<Changing> values() {
        return Changing.values();
    }

    @BeforeAll
    static void start() {
        cluster = cluster();
    }

    @AfterAll
    static void close() {
        Objects.requireNonNull(cluster).close();
    }

    static Cluster cluster() {
        return Cluster.of(2, Map.of(Setting.COHERENCE, "coherent"), new MovedTime(), 1);
    }

    @ParameterizedTest
    @MethodSource("values")
    void areReadElsewhereAndEqualInTheEnd(Changing value) {
        assertTrue(check(Objects.requireNonNull(cluster), value, 40, 5).good() > 0, "none succeeded");
    }

    /**
     * @param commits how many requests use the value
     * @param burst a writer rests after as many changes
     */
    static Encodings check(Cluster cluster, Changing value, int commits, int burst) {
        String id = "session-" + SESSIONS.incrementAndGet();
        LiveSession session = cluster.sessions(0).create(id, 1800);
        assertEquals(Outcome.ACKNOWLEDGED, put(session, "value", value.value()));
        LiveSession elsewhere = find(cluster.sessions(1), id);
        Encodings outcome = new Encodings(value);
        long before = kept(cluster);
        try (Writers writers = Writers.of(value, burst)) {
            writers.awaitBegun();
            for (int i = 0; i < commits; i++) {
                Outcome commit = commit(session);
                Object there = value(elsewhere);
                if (there == null) {
                    assertEquals(Promise.READABLE, value.promise(), "it is withdrawn");
                } else if (commit == Outcome.DEGRADED) {
                    assertEquals("", value.complaint(there), "the last good state");
                    outcome.keep();
                } else {
                    outcome.judge(there);
                }
            }
        }
        assertEquals(0, outcome.bad(), outcome::toString);
        assertEquals(outcome.kept(), kept(cluster) - before, "degraded and counted");
        assertTrue(commit(session) != Outcome.DEGRADED, "it changes no more");
        assertEquals(
                value.numbers().apply(value.value()),
                value.numbers().apply(Objects.requireNonNull(value(elsewhere))),
                "what was acknowledged");
        assertEquals(0, cluster.node(1).metrics().value(Counter.ATTRIBUTES_NOT_DECODED));
        return outcome;
    }

    static Outcome commit(LiveSession session) {
        return use(session, () -> assertNotNull(value(session)));
    }

    static @Nullable Object value(LiveSession session) {
        return session.attributes().get("value");
    }

    static long kept(Cluster cluster) {
        return cluster.node(0).metrics().value(Counter.ATTRIBUTES_KEPT_CHANGING);
    }
}
