package io.understudy;

import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.audit.AuditEvent;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.faults.Fault;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first node names its sessions that no other node could take over whole, until they can be taken over. */
@Tag("cluster")
@Timeout(300)
class SessionsElsewhereTest extends BrokenReplication {

    private static final AtomicReference<Runnable> WHILE_ENCODED = new AtomicReference<>(() -> {});
    private static final String STAYS = "stays on this node";
    private static final String ENDED = "on this node only any more";

    @BeforeEach
    void start() {
        ClassLoader own = getClass().getClassLoader();
        start(own, own);
    }

    @AfterEach
    void reset() {
        WHILE_ENCODED.set(() -> {});
    }

    /** The first node names one session in all places, and when the attribute can be replicated, the end of it. */
    private void fails(String reason, LiveSession session, String attribute, String... words) throws JMException {
        named(0, "elsewhere", reason, 1, AuditEvent.NOT_SURVIVING_ELSEWHERE, words);
        assertEquals(0, figure(1, "sessions_failing_elsewhere_" + reason));
        assertEquals(1, figure(0, "attributes_not_replicated"));
        List<String> lines = log.with("WARNING", STAYS);
        assertEquals(1, lines.size(), lines.toString());
        for (String word : words) {
            assertTrue(lines.get(0).contains(word), word + " in " + lines);
        }
        assertEquals(List.of(), log.with(ENDED));

        use(session, () -> session.attributes().remove(attribute));
        assertEquals(0, figure(0, "sessions_failing_elsewhere_" + reason));
        assertEquals(Map.of(), byJmx(cluster.node(0), "SessionsFailingElsewhere"));
        assertEquals(List.of(), cluster.node(0).takeOverFailures());
        assertFalse(cluster.node(0).readiness().reason().contains("survive"));
        awaitLine("INFO", ENDED, reason);
        assertEquals(1, log.with(ENDED).size(), log.with(ENDED)::toString);
        assertEquals(1, log.with(STAYS).size(), log.with(STAYS)::toString);
    }

    /** Time passes until there is such a line. */
    private void awaitLine(String... words) {
        Await.until(Await.LIMIT, () -> log.with("/shop"), () -> {
            time.advance(Duration.ofSeconds(1));
            return !log.with(words).isEmpty();
        });
    }

    @Test
    void aClassThatIsNotSerializableIsNamed() throws Exception {
        fails("class", session("a", new Plain()), "cart", "'cart'", "Plain does not implement");
    }

    @Test
    void anAttributeThatIsTooLargeIsNamed() throws Exception {
        fails("too_large", session("a", new byte[2001]), "cart", "'cart'", "maxAttributeBytes");
    }

    @Test
    void anAttributeWithoutRoomInItsSessionIsNamed() throws Exception {
        LiveSession full = session("a", new byte[1800]);
        use(full, () -> full.attributes().put("second", new byte[1800]));
        fails("session_full", full, "second", "'second'", "maxSessionBytes");
    }

    @Test
    void aNameThatCannotTravelIsNamed() throws Exception {
        LiveSession odd = session("a", "tea");
        use(odd, () -> odd.attributes().put("a\uD83D", "tea"));
        fails("name", odd, "a\uD83D", "in its name");
    }

    @Test
    void aClassThatThrowsWhenItIsWrittenIsNamed() throws Exception {
        fails("encoding", session("a", new Unwritable()), "cart", "'cart'", "closed");
    }

    /** A blocked port: the nodes run, and neither reaches the other. */
    @Test
    void aBlockedPortIsNamedUntilItIsOpen() throws Exception {
        session("a", "tea");
        session("b", "tea");
        assertEquals(0, figure(0, "sessions_failing_elsewhere_alone"));
        try (Fault blocked = cluster.partition(List.of(Set.of(0), Set.of(1)))) {
            await(0, "sessions_failing_elsewhere_alone", 2);
            awaitLine("WARNING", "/shop@node1 - no other member is ready", "2 session(s)", "a port");
            named(
                    0,
                    "elsewhere",
                    "alone",
                    2,
                    AuditEvent.NOT_SURVIVING_ELSEWHERE,
                    "/shop@node1 - no other member is ready");
            assertEquals(1, figure(0, "members"));
            assertEquals(2, figure(0, "sessions_at_risk"));
            assertTrue(cluster.node(0).readiness().reason().contains("; no other member;"));
            assertEquals(List.of(), log.with("another member is ready"));
            assert blocked != null;
        }
        await(0, "sessions_failing_elsewhere_alone", 0);
        awaitLine("INFO", "/shop@node1 - another member is ready");
        assertEquals(List.of(), cluster.node(0).takeOverFailures());
        assertFalse(cluster.node(0).readiness().reason().contains("survive"));
        assertEquals(1, log.with("/shop@node1 - no other member is ready").size());
    }

    @Test
    void reasonsOfSeveralSessionsAreListedTogether() {
        LiveSession plain = session("a", new Plain());
        session("b", new byte[2001]);
        session("c", new Plain());
        assertEquals(
                Map.of("class", 2L, "too_large", 1L),
                cluster.node(0).takeOvers().failingElsewhere());
        assertTrue(
                cluster.node(0).readiness().reason().endsWith("survive elsewhere: 2 class, 1 too_large"),
                () -> cluster.node(0).readiness().reason());
        assertEquals(2, cluster.node(0).takeOverFailures().size());
        assertEquals(2, log.with("WARNING", STAYS).size(), log.with(STAYS)::toString);
        plain.invalidate();
        use(held.get(2), () -> held.get(2).attributes().put("cart", "tea"));
        assertEquals(Map.of("too_large", 1L), cluster.node(0).takeOvers().failingElsewhere());
        awaitLine("INFO", ENDED, "(class");
        assertEquals(1, log.with(ENDED).size(), log.with(ENDED)::toString);
    }

    @Test
    void aReadingOfTheFiguresDuringACommitForgetsNothing() {
        LiveSession session = session("a", "tea");
        WHILE_ENCODED.set(() -> figure(0, "sessions_failing_elsewhere_class"));
        use(session, () -> {
            session.attributes().put("a", new Plain());
            session.attributes().put("b", new Reading());
        });
        assertEquals(1, figure(0, "sessions_failing_elsewhere_class"));
    }

    private static final class Plain {}

    /** Runs what {@link #WHILE_ENCODED} holds. */
    private static final class Reading implements Serializable {

        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) {
            WHILE_ENCODED.get().run();
        }
    }

    private static final class Unwritable implements Serializable {

        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) {
            throw new IllegalStateException("closed");
        }
    }
}
