package io.understudy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.understudy.config.Setting;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.SessionUse;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.SessionRequest;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests of one session that overlap on two nodes: each keeps what it has in hand, and nothing else. */
@Tag("cluster")
class OverlappingRequestsTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final List<Understudy> nodes = new ArrayList<>();
    private final List<ReplicatedSessions> applications = new ArrayList<>();
    private final List<LiveSession> sessions = new ArrayList<>();

    @BeforeEach
    void start() {
        LoopbackCluster.configs(2, Map.of(Setting.TAKE_OVER_REHEARSAL, "off")).forEach(config -> {
            Understudy node = NodeStart.start(config);
            nodes.add(node);
            applications.add(node.join("/shop", getClass()::getClassLoader));
            Await.until(LIMIT, node::readiness, () -> node.readiness().ready());
        });
        LiveSession created = applications.get(0).create("a", 1800);
        created.attributes().put("mine", new int[1]);
        created.attributes().put("other", new int[1]);
        created.commit().await();
        sessions.add(created);
        sessions.add(Objects.requireNonNull(applications.get(1).find("a")));
    }

    @AfterEach
    void close() {
        nodes.forEach(Understudy::close);
    }

    private static int[] read(LiveSession session, long ticket, String name) {
        return (int[]) Objects.requireNonNull(session.attributes(ticket).get(name));
    }

    private int count(int node) {
        LiveSession session = sessions.get(node);
        long ticket = session.enter();
        try {
            int counted = ++read(session, ticket, "mine")[0];
            assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
            return counted;
        } finally {
            session.exit(ticket);
        }
    }

    /** A counter whose encoding is a moment at which other requests can run. */
    private static final class Watched implements Serializable {

        private static final long serialVersionUID = 1L;

        private static final AtomicReference<Runnable> DURING_ENCODING = new AtomicReference<>(() -> {});

        private int count;

        private void writeObject(ObjectOutputStream out) throws IOException {
            DURING_ENCODING.getAndSet(() -> {}).run();
            out.defaultWriteObject();
        }
    }

    private int countWatched(int node) {
        LiveSession session = sessions.get(node);
        long ticket = session.enter();
        try {
            int counted = ++watched(session, ticket).count;
            assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
            return counted;
        } finally {
            session.exit(ticket);
        }
    }

    private static Watched watched(LiveSession session, long ticket) {
        return (Watched) Objects.requireNonNull(session.attributes(ticket).get("watched"));
    }

    /** The client comes again, by way of both nodes, while the end of its last request looks for changes. */
    @Test
    void whatAnotherNodeWroteWhileARequestEndsIsNotUndone() {
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(sessions.get(0), "watched", new Watched()));
        LiveSession session = sessions.get(1);
        long answered = session.enter();
        watched(session, answered).count++;
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        session.responseReady(answered);
        assertEquals(2, countWatched(0));
        long next = session.enter();
        Watched.DURING_ENCODING.set(() ->
                Beside.run(() -> assertEquals(2, watched(session, next).count)).join());
        session.commit().await();
        session.exit(answered);
        session.exit(next);
        assertEquals(3, countWatched(0));
        assertEquals(4, countWatched(1));
    }

    /**
     * The end of the last request looks at one attribute after the other, and has looked at the counter before some
     * of them.
     */
    @Test
    void whatAnotherNodeWroteIsReadWhileARequestEnds() {
        LiveSession session = sessions.get(1);
        long answered = session.enter();
        for (int i = 0; i < 20; i++) {
            session.attributes(answered).put("watched" + i, new Watched());
        }
        read(session, answered, "mine");
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        session.responseReady(answered);
        List<Integer> written = new ArrayList<>();
        List<Integer> seen = new ArrayList<>();
        Runnable counts = new Runnable() {
            @Override
            public void run() {
                written.add(count(0));
                long next = session.enter();
                seen.add(read(session, next, "mine")[0]);
                session.exit(next);
                Watched.DURING_ENCODING.set(() -> Beside.run(this).join());
            }
        };
        Watched.DURING_ENCODING.set(() -> Beside.run(counts).join());
        session.commit().await();
        Watched.DURING_ENCODING.set(() -> {});
        session.exit(answered);
        assertEquals(20, written.size());
        assertEquals(written, seen);
        assertEquals(21, count(1));
    }

    /** Whether it began before or after those of the client that counts. */
    @Test
    void aRequestOfSomebodyElsePinsNothingThatItDidNotUse() {
        assertEquals(1, count(1));
        long stranger = sessions.get(1).enter();
        read(sessions.get(1), stranger, "other")[0]++;
        for (int n = 2; n <= 20; n++) {
            assertEquals(n, count(n % 2));
        }
        sessions.get(1).exit(stranger);
        assertEquals(21, count(1));
        assertEquals(22, count(0));
    }

    /**
     * A client may come again, by way of another node, before the node has got to the end of the request it answered.
     */
    @Test
    void aRequestThatIsAnsweredButNotOverPinsNothing() {
        LiveSession session = sessions.get(1);
        long answered = session.enter();
        read(session, answered, "mine")[0]++;
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        session.responseReady(answered);
        assertEquals(2, count(0));
        assertEquals(3, count(1));
        session.exit(answered);
        assertEquals(4, count(0));
    }

    @Test
    void whatARequestReadsAfterItsAnswerIsNotPinned() {
        assertReadAfterTheAnswerPinsNothing(ticket -> sessions.get(1).attributes(ticket));
    }

    /** As the thread of an asynchronous request does while the end of the request before it is late. */
    @Test
    void whatAThreadOfNoRequestReadsIsNotPinnedByARequestThatIsAnswered() {
        assertReadAfterTheAnswerPinsNothing(ticket -> sessions.get(1).attributes());
    }

    private void assertReadAfterTheAnswerPinsNothing(LongFunction<Map<String, Object>> attributes) {
        long answered = sessions.get(1).enter();
        sessions.get(1).responseReady(answered);
        int[] before = (int[]) attributes.apply(answered).get("mine");
        assertEquals(1, count(0));
        assertEquals(2, count(1));
        assertArrayEquals(new int[1], before);
        sessions.get(1).exit(answered);
        assertEquals(3, count(0));
    }

    @Test
    void aRequestThatBeginsAnewKeepsWhatItReadsFromThenOn() {
        LiveSession session = sessions.get(1);
        SessionUse use = session.use();
        use.begin();
        assertEquals(0, read(session, use.ticket(), "mine")[0]);
        assertEquals(1, count(0));
        use.readAnew();
        int[] held = read(session, use.ticket(), "mine");
        assertEquals(1, held[0]);
        assertEquals(2, count(0));
        assertEquals(held, read(session, use.ticket(), "mine"));
        use.end();
        assertEquals(3, count(1));
    }

    @Test
    void whatARequestChangesAfterItsAnswerIsFoundUnlessAnotherNodeChangedItToo() {
        LiveSession session = sessions.get(1);
        long answered = session.enter();
        int[] held = read(session, answered, "mine");
        session.responseReady(answered);
        held[0] = 7;
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        session.exit(answered);
        assertEquals(8, count(0));
    }

    @Test
    void whatItChangesAfterItsAnswerIsFoundAlthoughAnotherEnds() {
        LiveSession session = sessions.get(1);
        long answered = session.enter();
        int[] held = read(session, answered, "mine");
        session.responseReady(answered);
        long another = session.enter();
        session.exit(another);
        held[0] = 7;
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        session.exit(answered);
        assertEquals(8, count(0));
    }

    @Test
    void aRequestKeepsTheObjectsItUsedUntilItsEnd() {
        LiveSession session = sessions.get(1);
        long ticket = session.enter();
        int[] held = read(session, ticket, "mine");
        long later = session.enter();
        assertEquals(1, count(0));
        assertSame(held, read(session, ticket, "mine"));
        assertSame(held, read(session, later, "mine"), "what one holds, others of the node share");
        session.exit(later);
        assertSame(held, read(session, ticket, "mine"));
        session.exit(ticket);
        long next = session.enter();
        assertEquals(1, read(session, next, "mine")[0]);
        session.exit(next);
    }

    /** A thread nobody knows the request of may work for any that runs. */
    @Test
    void whatAnUnknownThreadUsesStaysWhileAnyRequestRuns() {
        LiveSession session = sessions.get(1);
        long first = session.enter();
        long second = session.enter();
        Object held = session.attributes().get("mine");
        assertEquals(1, count(0));
        session.exit(second);
        assertSame(held, session.attributes().get("mine"));
        session.exit(first);
        assertEquals(1, ((int[]) Objects.requireNonNull(session.attributes().get("mine")))[0]);
    }

    /** As a web socket's thread does, or one that uses the session's accessor: it goes on when the request is over. */
    @Test
    void whatAnUnknownThreadReadDuringARequestIsWatchedBeyondItsEnd() {
        LiveSession session = sessions.get(1);
        long ticket = session.enter();
        int[] held = (int[]) Objects.requireNonNull(session.attributes().get("mine"));
        session.exit(ticket);
        held[0] = 7;
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        assertEquals(8, count(0));
    }

    @Test
    void whatAnUnknownThreadReadBeforeARequestIsWatchedBeyondItsEnd() {
        LiveSession session = sessions.get(1);
        int[] held = (int[]) Objects.requireNonNull(session.attributes().get("mine"));
        long ticket = session.enter();
        assertSame(held, read(session, ticket, "mine"));
        session.exit(ticket);
        held[0] = 7;
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        assertEquals(8, count(0));
    }

    @Test
    void theTicketOfTheThreadIsAskedFor() {
        LiveSession session = sessions.get(1);
        long stranger = session.enter();
        long[] current = {session.enter()};
        applications.get(1).bindRequests(live -> current[0]);
        assertEquals(0, ((int[]) Objects.requireNonNull(session.attributes().get("mine")))[0]);
        session.exit(current[0]);
        assertEquals(1, count(0));
        current[0] = session.enter();
        assertEquals(1, ((int[]) Objects.requireNonNull(session.attributes().get("mine")))[0]);
        session.exit(current[0]);
        session.exit(stranger);
    }

    /** A request that reads when it is over already, as a thread it left behind may do, pins nothing for ever. */
    @Test
    void aTicketThatIsOverPinsNothing() {
        LiveSession session = sessions.get(1);
        long over = session.enter();
        session.exit(over);
        assertEquals(0, read(session, over, "mine")[0]);
        assertEquals(1, count(0));
        assertEquals(2, count(1));
    }
}
