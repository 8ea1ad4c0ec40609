package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.session.Coherence;
import io.understudy.metrics.Counter;
import io.understudy.replica.TimeSource;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.activation.Activation;
import io.understudy.session.activation.ActivationEvents;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
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

    /** What an attribute throws that can't be encoded. */
    static Stream<Named<Supplier<Throwable>>> lasting() {
        return Stream.of(
                Named.of("failed assertion", AssertionError::new),
                Named.of("missing class", () -> new NoClassDefFoundError("com/acme/Gone")),
                Named.of("failed initializer", () -> new ExceptionInInitializerError("no")),
                Named.of("too deep", StackOverflowError::new),
                Named.of("own", () -> new Error("of the application")));
    }

    /** What one throws that may be encoded at the next try. */
    static Stream<Named<Supplier<Throwable>>> passing() {
        return Stream.of(
                Named.of("full heap", () -> new OutOfMemoryError("for a moment")),
                Named.of("full heap, wrapped", () -> new IllegalStateException(new OutOfMemoryError("for a moment"))),
                Named.of("changes all the time", ConcurrentModificationException::new));
    }

    static Stream<Named<Supplier<Throwable>>> failures() {
        return Stream.concat(lasting(), passing());
    }

    /** Throws while it is encoded, as long as there is something to throw. */
    private static final class Failing implements Serializable {

        private static final long serialVersionUID = 1L;

        private static final AtomicReference<Supplier<? extends Throwable>> next = new AtomicReference<>();

        private void writeObject(ObjectOutputStream out) throws IOException {
            Supplier<? extends Throwable> failure = next.get();
            Throwable thrown = failure == null ? null : failure.get();
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            } else if (thrown != null) {
                throw (Error) thrown;
            }
            out.defaultWriteObject();
        }
    }

    /** A clock that fails once, on the thread that asked for it, when {@code calls} more readings were made there. */
    private static final class FailingTime implements TimeSource {

        private final ThreadLocal<Integer> left = new ThreadLocal<>();
        private volatile Runnable before = () -> {};

        void failAfter(int calls) {
            failAfter(calls, () -> {});
        }

        /** @param meanwhile runs before it fails */
        void failAfter(int calls, Runnable meanwhile) {
            before = meanwhile;
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
                before.run();
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

    private long count(Counter counter) {
        return cluster.node(0).metrics().value(counter);
    }

    private Set<String> there() {
        return new TreeSet<>(
                SessionRequest.find(cluster.sessions(1), "a").attributes().keySet());
    }

    /** The request that made it ends with the failure, and no other one looks at the attribute. */
    @SuppressWarnings("unchecked")
    private void changeInPlace() {
        SessionRequest.use(session, () -> session.attributes().put("list", new ArrayList<>(List.of("first"))));
        long ticket = session.enter();
        List<Object> list = (List<Object>) session.attributes(ticket).get("list");
        assertNotNull(list);
        list.add("in place");
        time.failAfter(0);
        assertThrows(InternalError.class, session::commit);
        session.exit(ticket);
    }

    private void assertChangedThere() {
        SessionRequest.use(session, () -> {});
        LiveSession there = SessionRequest.find(cluster.sessions(1), "a");
        assertEquals(List.of("first", "in place"), there.attributes().get("list"));
    }

    @Test
    void aChangeInPlaceOutlivesAFailedCommit() {
        changeInPlace();
        assertChangedThere();
    }

    /** The same if the next commit fails, too, and a third request ends before anybody knows. */
    @Test
    void aChangeInPlaceOutlivesTwoFailedCommits() {
        changeInPlace();
        long second = session.enter();
        long third = session.enter();
        time.failAfter(0, () -> session.exit(third));
        assertThrows(InternalError.class, session::commit);
        session.exit(second);
        assertChangedThere();
    }

    /** While another request does. */
    @ParameterizedTest
    @MethodSource("passing")
    void aRequestThatUsesNoValuePutOffIsAcknowledged(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        Outcome using = SessionRequest.use(session, () -> {
            putAll();
            Outcome other = Beside.get(() -> SessionRequest.put(session, "other", "value"))
                    .join();
            assertEquals(Outcome.ACKNOWLEDGED, other);
        });
        assertEquals(Outcome.DEGRADED, using);
    }

    /** A login, which no request holds: the commit that put it off is another one's, and that request has ended. */
    @ParameterizedTest
    @MethodSource("passing")
    void aRequestWhoseLoginIsPutOffIsDegraded(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        Outcome outcome = SessionRequest.use(session, () -> {
            session.containerAttributes().put("login", new Failing());
            Beside.get(() -> SessionRequest.put(session, "other", "value")).join();
        });
        assertEquals(Outcome.DEGRADED, outcome);
    }

    /** What another request put off is not its own. */
    @ParameterizedTest
    @MethodSource("passing")
    void aChangeThatWentWithAnothersIsAcknowledged(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        SessionUse use = session.use();
        use.begin();
        session.attributes(use.ticket()).put("mine", "value");
        assertEquals(Outcome.DEGRADED, putAllInARequest());
        Commit commit = use.commit(null);
        assertEquals(Outcome.ACKNOWLEDGED, commit.await());
        assertSame(commit, use.commit(null), "one response has one outcome");
        use.end();
        assertTrue(there().contains("mine"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void anErrorOfOneAttributeLeavesTheOthersAlone(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        try (LogLines log = new LogLines("io.understudy.session.failures")) {
            putAllInARequest();
            assertEquals(1, log.with("WARNING", "'bad'").size(), "it is named");
        }
        assertEquals(OTHERS, there().size(), () -> "on the other node: " + there());
        assertEquals(1, count(Counter.ATTRIBUTES_NOT_REPLICATED));
        assertNotNull(session.attributes().get("bad"), "it stays here");
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void aCommitWithoutWhatCantBeEncodedIsAcknowledged(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        assertEquals(Outcome.ACKNOWLEDGED, putAllInARequest());
    }

    @ParameterizedTest
    @MethodSource("passing")
    void aCommitThatPutsAValueOffIsDegraded(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        assertEquals(Outcome.DEGRADED, putAllInARequest());
        assertEquals(1, count(Counter.RESPONSES_DEGRADED));
        assertEquals(0, count(Counter.RESPONSES_ACKNOWLEDGED));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void aRequestThatUsesAValuePutOffIsDegraded(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        putAllInARequest();
        assertEquals(Outcome.UNCHANGED, SessionRequest.use(session, () -> {}), "it tried again, and has nothing of it");
        assertEquals(
                Outcome.DEGRADED,
                SessionRequest.use(
                        session, () -> assertNotNull(session.attributes().get("bad"))));
        assertEquals(2, count(Counter.RESPONSES_DEGRADED));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void aSessionWithOnlyAValuePutOffIsDegraded(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        try (Cluster quiet = Cluster.of(2, Map.of(Setting.EMPTY_SESSIONS, "local"))) {
            LiveSession alone = quiet.sessions(0).create("a", 1800);
            assertEquals(Outcome.DEGRADED, SessionRequest.put(alone, "bad", new Failing()));
            Failing.next.set(null);
            assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.use(alone, () -> {}));
            assertNotNull(
                    SessionRequest.find(quiet.sessions(1), "a").attributes().get("bad"));
        }
    }

    @ParameterizedTest
    @MethodSource("passing")
    void anIncoherentCommitThatPutsAValueOffIsSent(Supplier<Throwable> thrown) {
        Failing.next.set(thrown);
        long ticket = session.enter();
        putAll();
        assertEquals(Outcome.SENT, session.commit(Coherence.INCOHERENT).await());
        session.exit(ticket);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void anAttributeThatFailedTravelsWithTheNextCommit(Supplier<Throwable> thrown) {
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
