package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Beside;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcome of a request whose change the commit of another one has sent. */
@Tag("cluster")
class OthersCommitsTest {

    private final Cluster cluster = Cluster.of(2, Map.of(Setting.ACK_TIMEOUT, "200ms"));
    private final LiveSession session = cluster.sessions(0).create("a", 1800);

    /** What a request does with a session. */
    private interface Use {
        void of(LiveSession session);
    }

    @BeforeEach
    void begin() {
        SessionRequest.use(session, () -> {
            session.attributes().put("list", new ArrayList<>(List.of(1)));
            session.attributes().put("text", "as it was");
        });
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @SuppressWarnings("unchecked")
    private static List<Integer> list(LiveSession session) {
        return (List<Integer>) Objects.requireNonNull(session.attributes().get("list"));
    }

    private Outcome other(Use use) {
        return other(session, use);
    }

    private static Outcome other(LiveSession session, Use use) {
        return Beside.get(() -> SessionRequest.use(session, () -> use.of(session)))
                .join();
    }

    private static void change(LiveSession session) {
        session.attributes().put("other", System.nanoTime());
    }

    static Stream<Named<Use>> changes() {
        return Stream.of(
                Named.of("sets", used -> used.attributes().put("text", "new")),
                Named.of("removes", used -> used.attributes().remove("text")),
                Named.of("changes in place", used -> list(used).add(2)),
                Named.of("logs in", used -> used.containerAttributes().put("login", "ann")),
                Named.of(
                        "sets what stays as it is",
                        used -> used.unchangingAttributes().put("login", "ann")),
                Named.of("sets the idle time", used -> used.maxInactiveSeconds(7)));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void itIsDegradedIfTheCommitThatSentItWas(Use change) {
        try (Fault silent = cluster.pause(1)) {
            Outcome outcome = SessionRequest.use(session, () -> {
                change.of(session);
                assertEquals(Outcome.DEGRADED, other(OthersCommitsTest::change), silent::toString);
            });
            assertEquals(Outcome.DEGRADED, outcome);
        }
    }

    /** Time enough for an acknowledgement, on any machine. */
    @Test
    void aLaterCommitChangesNothingOfThat() {
        try (Cluster patient = Cluster.of(2, Map.of(Setting.ACK_TIMEOUT, "6s"))) {
            LiveSession created = patient.sessions(0).create("a", 1800);
            Outcome outcome = SessionRequest.use(created, () -> {
                created.attributes().put("text", "new");
                assertEquals(Outcome.ACKNOWLEDGED, other(created, OthersCommitsTest::change));
                try (Fault silent = patient.pause(1)) {
                    assertEquals(Outcome.DEGRADED, other(created, OthersCommitsTest::change), silent::toString);
                }
            });
            assertEquals(Outcome.ACKNOWLEDGED, outcome);
        }
    }

    static Stream<Named<Use>> replacements() {
        return Stream.of(
                Named.of("removes it", used -> used.attributes().remove("list")),
                Named.of("sets a text", used -> used.attributes().put("list", "none")),
                Named.of("sets another list", used -> used.attributes().put("list", new ArrayList<>(List.of(3)))));
    }

    /** What is sent in its place decides: without that the others show what was before both. */
    @ParameterizedTest
    @MethodSource("replacements")
    void whatAnotherRequestReplacedEndsAsThat(Use replacement) {
        try (Fault silent = cluster.pause(1)) {
            Outcome outcome = SessionRequest.use(session, () -> {
                list(session).add(2);
                assertEquals(Outcome.DEGRADED, other(replacement), silent::toString);
            });
            assertEquals(Outcome.DEGRADED, outcome);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itIsCountedOnceForAResponse(boolean ownChange) {
        SessionUse use = session.use();
        use.begin();
        session.attributes(use.ticket()).put("text", "new");
        other(OthersCommitsTest::change);
        if (ownChange) {
            session.attributes(use.ticket()).put("own", "new");
        }
        long before = counted();
        use.commit(null).await();
        use.commit(null).await();
        assertEquals(before + 1, counted());
        use.end();
    }

    /** Others may send something for it while the response waits, and until it is ready. */
    @Test
    void anAnsweredRequestWaitsForNothingThatOthersSent() {
        SessionUse use = session.use();
        use.begin();
        session.attributes(use.ticket()).get("list");
        use.commit(null).await();
        other(used -> list(used).add(2));
        use.responseReady();
        long before = counted();
        assertEquals(Outcome.UNCHANGED, use.commit(null).await());
        assertEquals(before, counted());
        use.end();
    }

    private long counted() {
        return cluster.node(0).metrics().value(Counter.RESPONSES_ACKNOWLEDGED)
                + cluster.node(0).metrics().value(Counter.RESPONSES_DEGRADED);
    }

    @Test
    void anIdleTimeThatAnotherRequestReplacedEndsAsThat() {
        try (Fault silent = cluster.pause(1)) {
            Outcome outcome = SessionRequest.use(session, () -> {
                session.maxInactiveSeconds(7);
                assertEquals(Outcome.DEGRADED, other(used -> used.maxInactiveSeconds(9)), silent::toString);
            });
            assertEquals(Outcome.DEGRADED, outcome);
        }
    }

    @Test
    void aRequestThatReadATextIsNotDegraded() {
        try (Fault silent = cluster.pause(1)) {
            Outcome outcome = SessionRequest.use(session, () -> {
                session.attributes().get("text");
                assertEquals(Outcome.DEGRADED, other(used -> used.attributes().put("text", "new")), silent::toString);
            });
            assertEquals(Outcome.UNCHANGED, outcome);
        }
    }
}
