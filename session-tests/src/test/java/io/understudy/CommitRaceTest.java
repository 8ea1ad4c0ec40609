package io.understudy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.TimeSource;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.activation.Activation;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What other threads see of a session, and do to it, at each moment of a commit. */
@Tag("cluster")
class CommitRaceTest {

    private final AtomicReference<Runnable> duringCommit = new AtomicReference<>(() -> {});
    private final Cluster cluster = Cluster.of(2, Map.of(), new WatchedTime(), 1);
    private final LiveSession session = cluster.sessions(0).create("a", 1800);

    @AfterEach
    void close() {
        cluster.close();
    }

    /** In milliseconds; of what a thread does for the node whose clock is wrong. */
    private static final ThreadLocal<Long> AHEAD = ThreadLocal.withInitial(() -> 0L);

    /** Each reading of the clock is a moment at which others can run. */
    private final class WatchedTime implements TimeSource {

        @Override
        public long wallMillis() {
            return SYSTEM.wallMillis() + AHEAD.get();
        }

        @Override
        public long monotonicMillis() {
            Watched.run(duringCommit);
            return SYSTEM.monotonicMillis();
        }
    }

    /** Its encoding is such a moment, too. */
    private static final class Watched implements Serializable {

        private static final long serialVersionUID = 1L;

        private static final AtomicReference<Runnable> DURING_ENCODING = new AtomicReference<>(() -> {});
        private static final ThreadLocal<Boolean> COMMITTING = ThreadLocal.withInitial(() -> false);

        /** On the committing thread alone, and not within itself. */
        static void run(AtomicReference<Runnable> moment) {
            if (COMMITTING.get()) {
                COMMITTING.set(false);
                moment.get().run();
                COMMITTING.set(true);
            }
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            run(DURING_ENCODING);
            out.defaultWriteObject();
        }
    }

    private Outcome watchedCommit(Runnable moment) {
        duringCommit.set(moment);
        return watchedEncoding(moment);
    }

    private Outcome watchedEncoding(Runnable moment) {
        Watched.DURING_ENCODING.set(moment);
        Watched.COMMITTING.set(true);
        try {
            return session.commit().await();
        } finally {
            Watched.COMMITTING.set(false);
            Watched.DURING_ENCODING.set(() -> {});
            duringCommit.set(() -> {});
        }
    }

    /** No request runs, so nobody holds what a timer or a web socket sets. */
    @Test
    void othersNeverReadAnOlderValueWhileOneIsCommitted() {
        session.attributes().put("a", new int[] {1});
        session.attributes().put("b", new Watched());
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        session.attributes().put("a", new int[] {2});
        session.attributes().put("b", new Watched());
        session.attributes().put("c", new Watched());
        List<int[]> read = new ArrayList<>();
        watchedCommit(() -> Beside.run(() -> {
                    long ticket = session.enter();
                    read.add((int[]) session.attributes(ticket).get("a"));
                    session.exit(ticket);
                })
                .join());
        for (int[] value : read) {
            assertArrayEquals(new int[] {2}, value, "of " + read.size() + " readings");
        }
        assertArrayEquals(new int[] {2}, (int[])
                SessionRequest.find(cluster.sessions(1), "a").attributes().get("a"));
    }

    /**
     * Another node writes what is just being committed here, and a request reads it. That request has changed nothing, so
     * its own commit undoes no later write. Whichever attribute is encoded first, some moments are after the first one.
     */
    @Test
    void aReadBesideACommitUndoesNothing() {
        List<String> watched = List.of("0", "b", "m", "z");
        session.attributes().put("a", new int[] {0});
        watched.forEach(name -> session.attributes().put(name, new Watched()));
        assertEquals(Outcome.ACKNOWLEDGED, session.commit().await());
        for (int round = 0; round < watched.size(); round++) {
            AtomicInteger left = new AtomicInteger(round);
            AtomicLong ticket = new AtomicLong();
            int value = 100 * (round + 1);
            int[] ours = (int[]) session.attributes().get("a");
            ours[0] = value;
            watched.forEach(name -> session.attributes().put(name, new Watched()));
            watchedEncoding(() -> {
                if (left.getAndDecrement() == 0) {
                    Beside.run(() -> {
                                SessionRequest.put(
                                        SessionRequest.find(cluster.sessions(1), "a"), "a", new int[] {value + 1});
                                ticket.set(session.enter());
                                assertNotNull(session.attributes(ticket.get()).get("a"));
                            })
                            .join();
                }
            });
            SessionRequest.put(SessionRequest.find(cluster.sessions(1), "a"), "a", new int[] {value + 2});
            session.commit().await();
            session.exit(ticket.get());
            assertArrayEquals(
                    new int[] {value + 2},
                    (int[]) session.attributes().get("a"),
                    "after encoding " + round + " others");
        }
    }

    /** Other nodes have had it for no longer than the commit runs that looks at it first. */
    @Test
    void whatWasSetBesideACommitIsRemovedForGood() {
        writesBesideACommit(null, CommitRaceTest::putEight, null);
    }

    /** The commit began when the attribute had a value equal to the new one. */
    @Test
    void aValueThatReturnsBesideACommitIsSent() {
        writesBesideACommit(7, CommitRaceTest::putEight, 7);
    }

    /** So many attributes are removed that nothing is remembered of each. */
    @Test
    void aValueThatReturnsAfterManyRemovalsIsSent() {
        writesBesideACommit(7, there -> removeMany(there, "a"), 7);
    }

    /** The clock of the node that removed them is wrong by more than stamps of its writes move other nodes' clocks. */
    @Test
    void aValueIsLaterThanRemovalsThatItsRequestKnows() {
        writesBesideACommit(
                null,
                there -> {
                    AHEAD.set(3_600_000L);
                    removeMany(there, "of another name");
                },
                7);
    }

    private static void putEight(LiveSession there) {
        SessionRequest.put(there, "a", 8);
    }

    /** More than are remembered one by one; the change after that gives them up. */
    private static void removeMany(LiveSession there, String name) {
        List<String> names =
                IntStream.range(0, 600).mapToObj(i -> "removed" + i).toList();
        SessionRequest.use(there, () -> names.forEach(each -> there.attributes().put(each, 1)));
        SessionRequest.use(there, () -> {
            there.attributes().remove(name);
            names.forEach(there.attributes()::remove);
        });
        SessionRequest.put(there, "last", UUID.randomUUID().toString());
    }

    /**
     * Another node changes the session, and a request that sees it writes "a", both while an older request commits. Some
     * moments of that commit are before it looks at "a".
     *
     * @param before the value of "a" as the commit begins; {@code null} for none
     * @param elsewhere what the other node does
     * @param after what the request sets; {@code null} if it removes "a"
     */
    private void writesBesideACommit(
            @Nullable Integer before, Consumer<LiveSession> elsewhere, @Nullable Integer after) {
        List<String> watched = List.of("0", "b", "m", "z");
        for (int round = 0; round < watched.size(); round++) {
            SessionRequest.use(session, () -> {
                session.attributes().put("a", 0);
                session.attributes().remove("a");
                if (before != null) {
                    session.attributes().put("a", before);
                }
            });
            long ticket = session.enter();
            Map<String, Object> attributes = session.attributes(ticket);
            boolean unused = attributes.containsKey("a"); // From here on the commit looks at it.
            watched.forEach(name -> session.attributes().put(name, new Watched()));
            AtomicInteger left = new AtomicInteger(round);
            AtomicReference<CompletableFuture<Void>> beside = new AtomicReference<>();
            watchedEncoding(() -> {
                if (left.getAndDecrement() == 0) {
                    beside.set(Beside.run(() -> {
                        elsewhere.accept(SessionRequest.find(cluster.sessions(1), "a"));
                        Object unusedToo = attributes.get("a");
                        if (after == null) {
                            attributes.remove("a");
                        } else {
                            attributes.put("a", after);
                        }
                    }));
                    beside.get().join();
                }
            });
            beside.get().join(); // What it throws is for an encoding to fail with, too.
            session.commit().await();
            session.exit(ticket);
            for (int node = 0; node < 2; node++) {
                LiveSession there = SessionRequest.find(cluster.sessions(node), "a");
                assertEquals(
                        after, there.attributes().get("a"), "node " + node + ", after encoding " + round + " others");
            }
        }
    }

    /** Nobody holds it when the commit ends, and the other node has an old state of it. */
    @Test
    void aValueIsTriedAgainThatWasPutOffAsItsReaderEnded() {
        SessionRequest.put(session, "b", new Watched());
        long reader = session.enter();
        assertNotNull(session.attributes(reader).get("b"));
        watchedEncoding(() -> {
            session.exit(reader);
            throw new OutOfMemoryError("a test's");
        });
        AtomicInteger tries = new AtomicInteger();
        watchedEncoding(tries::incrementAndGet);
        assertEquals(1, tries.get());
    }

    @Test
    void anIdleTimeIsSeenAtEachMomentOfItsCommit() {
        session.attributes().put("b", new Watched());
        session.commit().await();
        session.maxInactiveSeconds(60);
        session.attributes().put("b", new Watched());
        List<Integer> seen = new ArrayList<>();
        watchedCommit(() -> seen.add(Beside.get(session::maxInactiveSeconds).join()));
        assertEquals(List.of(60), seen.stream().distinct().toList());
    }

    /** Each commit is watched at another one of its moments, until there are no more of them. */
    @Test
    void anIdleTimeSetAtAnyMomentOfACommitIsKept() {
        session.attributes().put("b", new Watched());
        session.commit().await();
        AtomicInteger left = new AtomicInteger();
        int moment = 0;
        while (left.get() == 0) {
            session.maxInactiveSeconds(60);
            session.attributes().put("b", new Watched());
            int later = 1000 + moment;
            left.set(moment);
            watchedCommit(() -> {
                if (left.getAndDecrement() == 0) {
                    session.maxInactiveSeconds(later);
                }
            });
            assertEquals(left.get() < 0 ? later : 60, session.maxInactiveSeconds(), "set at moment " + moment);
            left.set(left.get() < 0 ? 0 : 1);
            moment++;
        }
        assertTrue(moment > 2, "moments of a commit: " + moment);
    }

    /** The other node's clock is wrong by more than stamps of its writes move this node's. */
    @Test
    void anIdleTimeIsLaterThanTheOneItReplaces() {
        session.attributes().put("b", new Watched());
        session.commit().await();
        session.attributes().put("b", new Watched());
        watchedEncoding(() -> {
            if (session.maxInactiveSeconds() == 1800) {
                Beside.run(() -> {
                            AHEAD.set(3_600_000L);
                            LiveSession there = SessionRequest.find(cluster.sessions(1), "a");
                            there.maxInactiveSeconds(100);
                            there.commit().await();
                        })
                        .join();
                assertEquals(100, session.maxInactiveSeconds());
                session.maxInactiveSeconds(200);
            }
        });
        assertEquals(200, session.maxInactiveSeconds());
        assertEquals(200, SessionRequest.find(cluster.sessions(1), "a").maxInactiveSeconds());
    }

    /** Whoever sets it while another request commits is not overlooked. */
    @Test
    void anIdleTimeThatIsSetBesideCommitsStays() {
        session.attributes().put("b", 1);
        session.commit().await();
        CompletableFuture<Void> setter = Beside.run(() -> {
            for (int seconds = 1; seconds <= 200_000; seconds++) {
                session.maxInactiveSeconds(seconds);
                assertEquals(seconds, session.maxInactiveSeconds());
            }
        });
        while (!setter.isDone()) {
            session.commit();
        }
        setter.join();
        session.commit().await();
        assertEquals(200_000, SessionRequest.find(cluster.sessions(1), "a").maxInactiveSeconds());
    }

    /** Of one class each, so that a listener knows which it is told of. */
    private record Told(String what) implements Serializable {}

    /** One request is about to send what it set, another has just read what a third node wrote: both tell an attribute. */
    @Test
    void listenersOfTwoRequestsDoNotWaitForEachOther() {
        LiveSession there = SessionRequest.find(sessionOnBoth(), "a");
        CountDownLatch passivating = new CountDownLatch(1);
        CountDownLatch activating = new CountDownLatch(1);
        there.activation(new Activation() {
            @Override
            public boolean concerns(Class<?> type) {
                return type == Told.class;
            }

            @Override
            public void willPassivate(String name, Object value) {
                if (value.equals(new Told("sent"))) {
                    passivating.countDown();
                    await(activating);
                    there.attributes().put("beside", "set");
                }
            }

            @Override
            public void didActivate(String name, Object value) {
                if (value.equals(new Told("read"))) {
                    activating.countDown();
                    await(passivating);
                    there.invalidate();
                }
            }
        });
        CompletableFuture<Void> sender = Beside.run(() -> {
            there.attributes().put("sent", new Told("sent"));
            there.commit();
        });
        await(passivating);
        CompletableFuture<Void> reader = Beside.run(() -> there.attributes().get("read"));
        Await.that("both requests are through", () -> sender.isDone() && reader.isDone());
        assertEquals(false, there.valid());
    }

    private ReplicatedSessions sessionOnBoth() {
        SessionRequest.put(session, "read", new Told("read"));
        return cluster.sessions(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
