package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.Commit.Outcome;
import io.understudy.metrics.Counter;
import io.understudy.replica.TimeSource;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commits in which an attribute, one of its listeners or the node itself throws something. */
@Tag("cluster")
class CommitFailureTest {

    private static final int OTHERS = 7;

    private final FailingTime time = new FailingTime();
    private final Cluster cluster = Cluster.of(2, Map.of(), time, 1);
    private final LiveSession session = cluster.sessions(0).create("a", 1800);

    @AfterEach
    void close() {
        Failing.next.set(null);
        cluster.close();
    }

    /** What an attribute throws when it is encoded. */
    static Stream<Named<Supplier<Error>>> errors() {
        return Stream.of(
                Named.of("failed assertion", AssertionError::new),
                Named.of("missing class", () -> new NoClassDefFoundError("com/acme/Gone")),
                Named.of("failed initializer", () -> new ExceptionInInitializerError("no")),
                Named.of("full heap", () -> new OutOfMemoryError("for a moment")),
                Named.of("too deep", StackOverflowError::new),
                Named.of("own", () -> new Error("of the application")));
    }

    /** Throws while it is encoded, as long as there is something to throw. */
    private static final class Failing implements Serializable {

        private static final long serialVersionUID = 1L;

        private static final AtomicReference<Supplier<? extends Error>> next = new AtomicReference<>();

        private void writeObject(ObjectOutputStream out) throws IOException {
            Supplier<? extends Error> error = next.get();
            if (error != null) {
                throw error.get();
            }
            out.defaultWriteObject();
        }
    }

    /** A clock that fails once, on the thread that asked for it, when {@code calls} more readings were made there. */
    private static final class FailingTime implements TimeSource {

        private final ThreadLocal<Integer> left = new ThreadLocal<>();

        void failAfter(int calls) {
            left.set(calls);
        }

        @Override
        public long wallMillis() {
            return SYSTEM.wallMillis();
        }

        @Override
        public long monotonicMillis() {
            Integer calls = left.get();
            if (calls != null && calls == 0) {
                left.remove();
                throw new InternalError("for a moment");
            }
            if (calls != null) {
                left.set(calls - 1);
            }
            return SYSTEM.monotonicMillis();
        }
    }

    private void putAll() {
        for (int i = 0; i < OTHERS; i++) {
            session.attributes().put("good" + i, "value");
        }
        session.attributes().put("bad", new Failing());
    }

    private Outcome putAllInARequest() {
        try {
            return SessionRequest.use(session, this::putAll);
        } catch (OutOfMemoryError e) {
            throw new AssertionError("the request failed", e); // JUnit would take it for the end of this JVM.
        }
    }

    private Set<String> there() {
        return new TreeSet<>(
                SessionRequest.find(cluster.sessions(1), "a").attributes().keySet());
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorOfOneAttributeLeavesTheOthersAlone(Supplier<Error> thrown) {
        Failing.next.set(thrown);
        try (LogLines log = new LogLines(ReplicatedSessions.class.getName())) {
            assertEquals(Outcome.ACKNOWLEDGED, putAllInARequest());
            assertEquals(1, log.with("WARNING", "'bad'").size(), "it is named");
        }
        assertEquals(OTHERS, there().size(), () -> "on the other node: " + there());
        assertEquals(1, cluster.node(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED));
        assertNotNull(session.attributes().get("bad"), "it stays here");
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anAttributeThatFailedTravelsWithTheNextCommit(Supplier<Error> thrown) {
        Failing.next.set(thrown);
        putAllInARequest();
        Failing.next.set(null);
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.use(session, () -> {}));
        assertTrue(there().contains("bad"), () -> "on the other node: " + there());
    }

    /** A thread that is stopped, which nothing may hold up. */
    @Test
    void aStoppedThreadLeavesTheSessionAsItWas() {
        Failing.next.set(ThreadDeath::new);
        assertThrows(ThreadDeath.class, () -> SessionRequest.use(session, this::putAll));
        Failing.next.set(null);
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.use(session, () -> {}));
        assertEquals(OTHERS + 1, there().size(), () -> "on the other node: " + there());
    }

    /** Whatever reading of the clock fails, in the commit or in the merge of what it found. */
    @Test
    void aCommitThatFailsAnywhereIsMadeUpForByTheNext() {
        int failed = 0;
        for (int calls = 0; calls < 20; calls++) {
            String name = "try" + calls;
            int seconds = 1800 + calls;
            time.failAfter(calls);
            try {
                SessionRequest.use(session, () -> {
                    session.attributes().put(name, "value");
                    session.maxInactiveSeconds(seconds);
                });
            } catch (InternalError e) {
                failed++;
            }
            time.left.remove();
            assertEquals(seconds, session.maxInactiveSeconds());
            assertEquals(
                    Outcome.ACKNOWLEDGED,
                    SessionRequest.use(session, () -> session.attributes().put("last", name)));
            assertTrue(there().contains(name), () -> name + " on the other node: " + there());
            assertEquals(seconds, SessionRequest.find(cluster.sessions(1), "a").maxInactiveSeconds());
        }
        assertTrue(failed > 0, "none failed");
        assertEquals(0, session.running().size(), "no request is left");
    }

    /** Throws what listeners of attributes may throw. */
    private record Throwing(boolean before, boolean after) implements Activation {

        @Override
        public boolean concerns(Class<?> type) {
            return type == Failing.class;
        }

        @Override
        public void willPassivate(String name, Object value) {
            if (before) {
                throw new AssertionError("of the application");
            }
        }

        @Override
        public void didActivate(String name, Object value) {
            if (after) {
                throw new AssertionError("of the application");
            }
        }
    }

    @Test
    void anErrorOfAnActivationListenerStopsNothing() {
        session.activation(new Throwing(true, true));
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.use(session, this::putAll));
        assertEquals(OTHERS + 1, there().size(), () -> "on the other node: " + there());
    }

    @Test
    void anAttributeWhoseActivationFailedIsSentLater() {
        SessionRequest.put(session, "bad", new Failing());
        LiveSession there = SessionRequest.find(cluster.sessions(1), "a");
        there.activation(new Throwing(false, true));
        SessionRequest.use(there, () -> assertNotNull(there.attributes().get("bad")));
        SessionRequest.use(there, () -> assertNotNull(there.attributes().get("bad")));
        assertEquals(2, cluster.node(1).metrics().value(Counter.ATTRIBUTES_COMPARED), "it is compared as any other");
    }

    @Test
    void aListenerThatFailsIsLoggedOnce() {
        session.activation(new Throwing(true, false));
        try (LogLines log = new LogLines(ActivationEvents.class.getName())) {
            SessionRequest.put(session, "bad", new Failing());
            SessionRequest.put(session, "bad", new Failing());
            assertEquals(1, log.with("WARNING", "'bad'").size());
        }
    }
}
