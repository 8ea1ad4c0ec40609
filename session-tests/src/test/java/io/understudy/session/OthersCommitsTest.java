package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Setting;
import io.understudy.config.session.Coherence;
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

    @ParameterizedTest
    @MethodSource("changes")
    void aLaterCommitChangesNothingOfThat(Use change) {
        Outcome outcome = SessionRequest.use(session, () -> {
            change.of(session);
            assertEquals(Outcome.ACKNOWLEDGED, other(OthersCommitsTest::change));
            try (Fault silent = cluster.pause(1)) {
                assertEquals(Outcome.DEGRADED, other(OthersCommitsTest::change), silent::toString);
            }
        });
        assertEquals(Outcome.ACKNOWLEDGED, outcome);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aRequestWaitsForWhatAnIncoherentOneSent(Use change) {
        try (Fault silent = cluster.pause(1)) {
            Outcome outcome = SessionRequest.use(session, () -> {
                change.of(session);
                SessionUse other = session.use();
                other.begin();
                assertEquals(Outcome.SENT, other.commit(Coherence.INCOHERENT).await(), silent::toString);
                other.end();
            });
            assertEquals(Outcome.DEGRADED, outcome);
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

    @Test
    void itIsCountedOnceForAResponse() {
        SessionRequest.use(session, () -> {
            session.attributes().put("text", "new");
            other(OthersCommitsTest::change);
            long before = cluster.node(0).metrics().value(Counter.RESPONSES_ACKNOWLEDGED);
            session.commit().await();
            session.commit().await();
            assertEquals(before, cluster.node(0).metrics().value(Counter.RESPONSES_ACKNOWLEDGED));
        });
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
