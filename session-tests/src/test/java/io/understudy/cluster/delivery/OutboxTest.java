package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.membership.ApplicationNumber;
import io.understudy.config.session.Acks;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.ordering.ScopedBatch;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.testkit.Await;
import io.understudy.threads.Failures;
import io.understudy.threads.Loop;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.Part;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("rules")
@Timeout(300)
class OutboxTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final long NUMBER = ApplicationNumber.of(ReadyPeer.APPLICATION);

    private record Sent(long scope, long number, int bytes, Frame frame) {}

    private final AckTracker tracker = new AckTracker(new ReplicationMetrics(), Address::toString);
    private final ConcurrentLinkedQueue<Sent> sent = new ConcurrentLinkedQueue<>();

    /** Their lengths. */
    private final ConcurrentLinkedQueue<Integer> messages = new ConcurrentLinkedQueue<>();

    private final AtomicLong stamps = new AtomicLong();
    private final SCOPE scopes = new SCOPE();
    private final DeltaSender sending;
    private final Outbox outbox;

    /** By which the outbox paces itself; 0 while it runs. */
    private volatile long clockStandsAt;

    private volatile boolean paused;

    /** While it is not open the channel has no credits. */
    private volatile CountDownLatch credits = new CountDownLatch(0);

    OutboxTest() {
        sending = ReadyPeer.sender(scopes, tracker, this::transport);
        Failures failures = new Failures("n1", new ReplicationMetrics());
        Pace pace = new Pace(() -> clockStandsAt != 0 ? clockStandsAt : System.nanoTime(), nanos -> pause());
        outbox = new Outbox(sending, tracker, new ReplicationMetrics(), failures, LIMIT, pace);
        Thread thread = new Thread(new Loop("sending", outbox, failures, Thread::new), "outbox");
        thread.setDaemon(true);
        thread.start();
    }

    /** Until it is woken, while the clock stands. */
    private void pause() {
        if (clockStandsAt != 0) {
            paused = true;
            LockSupport.park(this);
        }
    }

    @AfterEach
    void end() {
        credits.countDown();
        outbox.stop();
    }

    private void transport(Message message) {
        try {
            credits.await();
            messages.add(message.getLength());
            for (Message one : ScopedBatch.apart(message)) {
                ScopeHeader header = one.getHeader(SCOPE.ID);
                Frame frame = WireCodec.decode(one.getArray(), one.getOffset(), one.getLength());
                sent.add(new Sent(header.scope(), header.number(), one.getLength(), frame));
            }
        } catch (InterruptedException | WireFormatException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Containers interrupt threads when they stop, and one of these may close the node. */
    @Test
    void anInterruptDoesNotShortenADrain() throws Exception {
        credits = new CountDownLatch(1);
        CompletableFuture<AckResult> unused = put(1, "a", 10);
        CompletableFuture<Boolean> drained = new CompletableFuture<>();
        Thread closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            boolean all = outbox.drain(LIMIT.toMillis());
            drained.complete(all && Thread.interrupted());
        });
        closing.start();
        Await.that("it waits", () -> drained.isDone() || closing.getState() == Thread.State.TIMED_WAITING);
        credits.countDown();
        assertTrue(drained.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        assertEquals(1, attributes(1));
    }

    @Test
    void withoutCreditsNobodyWaitsAndEachSessionHasOneChangeWaiting() throws Exception {
        credits = new CountDownLatch(1);
        List<CompletableFuture<AckResult>> held = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            held.add(put(i % 10, "a" + i, 10));
        }
        assertEquals(10, outbox.sessions());
        assertEquals(10, tracker.atRisk().sessions());
        assertEquals(1000, tracker.atRisk().changes(), "each one is a write that was acknowledged");
        credits.countDown();
        Await.until(LIMIT, outbox::sessions, () -> outbox.sessions() == 0);
        assertTrue(sent.size() <= 20, () -> sent.size() + " messages: one that was taken already, one joined");
        for (int session = 0; session < 10; session++) {
            assertEquals(100, attributes(session), "of session " + session);
        }
        assertEquals(1000, tracker.atRisk().changes(), "not one acknowledgement has come");
        CompletableFuture<Void> settled = outbox.settled();
        assertFalse(settled.isDone());
        sent.forEach(message -> acknowledge(message));
        for (CompletableFuture<AckResult> one : held) {
            assertEquals(AckResult.ALL, one.get());
        }
        settled.get();
        assertEquals(List.of(0L, 0L, 0L), atRisk());
    }

    @Test
    void numbersRiseInTheOrderOfTheCommits() {
        for (int i = 0; i < 500; i++) {
            CompletableFuture<AckResult> unused = put(i % 7, "n", i);
        }
        Await.until(LIMIT, outbox::sessions, () -> outbox.sessions() == 0);
        long last = 0;
        for (Sent message : sent) {
            assertTrue(message.number() > last, () -> "number " + message.number());
            last = message.number();
        }
    }

    @Test
    void whatWaitsGoesTogetherInMessagesOfBoundedSize() {
        credits = new CountDownLatch(1);
        for (int session = 1; session <= 200; session++) {
            CompletableFuture<AckResult> unused = put(session, "a", session == 100 ? 2 * ReadyPeer.BATCH_BYTES : 100);
        }
        credits.countDown();
        acknowledgeAll(200);
        assertEquals(200, sent.size());
        assertTrue(messages.size() < 40, () -> "lengths of messages: " + messages);
        assertEquals(
                1,
                messages.stream()
                        .filter(length -> length > ReadyPeer.BATCH_BYTES)
                        .count(),
                () -> "lengths of messages; one change is larger, and goes alone: " + messages);
        assertEquals(List.of(0L, 0L, 0L), atRisk());
    }

    /** Without {@code hurry} the outbox sends a second change a gap later: never, while the clock stands. */
    @Test
    void whatARequestWaitsForGoesAtOnce() throws Exception {
        clockStandsAt = System.nanoTime();
        CompletableFuture<AckResult> first = put(1, "a", 10);
        acknowledgeAll(1);
        first.get();
        CompletableFuture<AckResult> unawaited = put(2, "a", 10);
        Await.that("the outbox pauses", () -> paused);
        assertFalse(unawaited.isDone());
        CompletableFuture<AckResult> awaited = put(3, "a", 10);
        outbox.hurry();
        acknowledgeAll(2);
        assertEquals(List.of(AckResult.ALL, AckResult.ALL), List.of(unawaited.get(), awaited.get()));
        assertEquals(2, messages.size());
    }

    @Test
    void settledWaitsForWhatHasNotBeenSentYet() throws Exception {
        credits = new CountDownLatch(1);
        CompletableFuture<AckResult> first = put(1, "a", 10);
        CompletableFuture<AckResult> second = put(2, "a", 10);
        CompletableFuture<Void> settled = outbox.settled();
        assertFalse(settled.isDone());
        credits.countDown();
        acknowledgeAll(2);
        settled.get();
        assertEquals(List.of(AckResult.ALL, AckResult.ALL), List.of(first.get(), second.get()));
    }

    @Test
    void aLargeChangeLetsOthersPassAndIsMergedAsOne() throws Exception {
        int size = 8 << 20;
        CompletableFuture<AckResult> large = put(1, "large", size);
        Await.until(LIMIT, sent::size, () -> sent.size() == 2);
        CompletableFuture<AckResult> small = put(2, "small", 10);
        CompletableFuture<AckResult> later = put(1, "later", 10);
        Await.until(LIMIT, sent::size, () -> sent.size() == 3);
        assertEquals(2, last().scope(), "only two parts are under way, and the small change went");
        assertTrue(
                tracker.atRisk().bytes() >= size,
                "bytes at risk: " + tracker.atRisk().bytes());
        acknowledge(last());
        assertEquals(AckResult.ALL, small.get());
        assertFalse(large.isDone());

        int acknowledged = 0;
        while (!(last().frame() instanceof Change change
                && change.update().delta().attributes().containsKey("later"))) {
            List<Sent> messages = List.copyOf(sent);
            assertTrue(messages.size() - acknowledged <= 3, "no more than two parts are not acknowledged");
            for (Sent message : messages.subList(acknowledged, messages.size())) {
                acknowledge(message);
            }
            acknowledged = messages.size();
            int seen = acknowledged;
            Await.until(LIMIT, sent::size, () -> sent.size() > seen);
        }
        sent.forEach(message -> acknowledge(message));
        assertEquals(List.of(AckResult.ALL, AckResult.ALL), List.of(large.get(), later.get()));
        assertEquals(List.of(0L, 0L, 0L), atRisk());
        assertEquals(size, assembled(1).attributes().get("large").bytes().length);
        assertTrue(sent.stream().allMatch(message -> message.bytes() <= Outbox.MAX_FRAME_BYTES));
    }

    @Test
    void manyLargeChangesLeaveRoomForOthers() throws Exception {
        for (int session = 1; session <= 20; session++) {
            CompletableFuture<AckResult> unused = put(session, "large", 1 << 20);
        }
        Await.until(LIMIT, sent::size, () -> sent.size() == 2 * Outbox.MAX_TRANSFERS);
        CompletableFuture<AckResult> unused = put(100, "small", 10);
        Await.until(LIMIT, sent::size, () -> last().scope() == 100);
        assertEquals(2 * Outbox.MAX_TRANSFERS + 1, sent.size(), "bytes under way are bounded");
        acknowledgeAll(20);
        for (int session = 1; session <= 20; session++) {
            assertEquals(1 << 20, assembled(session).attributes().get("large").bytes().length);
        }
    }

    /** The acknowledgement of a part may be lost for good; its session, and all other large changes, waited for ever. */
    @Test
    void partsThatNobodyAcknowledgesHoldUpNothingForGood() throws Exception {
        CompletableFuture<AckResult> large = put(1, "large", 1 << 20);
        Await.until(LIMIT, sent::size, () -> sent.size() == 2);
        CompletableFuture<AckResult> later = put(1, "small", 10);
        Await.until(LIMIT, outbox::sessions, () -> {
            sending.giveUpParts(-1);
            return outbox.sessions() == 0;
        });
        assertFalse(large.isDone(), "the whole is acknowledged by its last part");
        assertFalse(later.isDone());
    }

    @Test
    void aPeerThatLeavesInMidTransferEndsIt() throws Exception {
        CompletableFuture<AckResult> large = put(1, "large", 1 << 20);
        Await.until(LIMIT, sent::size, () -> sent.size() == 2);
        sending.view(new Object(), Set.of(ReadyPeer.SELF), Set.of(ReadyPeer.SELF));
        assertEquals(AckResult.NONE, large.get());
        Await.until(LIMIT, outbox::sessions, () -> outbox.sessions() == 0);
        assertEquals(List.of(0L, 0L, 0L), atRisk());
    }

    @Test
    void whatWaitsWhenTheOutboxEndsIsHeldByNobody() throws Exception {
        credits = new CountDownLatch(1);
        CompletableFuture<AckResult> first = put(1, "a", 10);
        CompletableFuture<AckResult> second = put(2, "a", 10);
        assertFalse(outbox.drain(10));
        outbox.stop();
        sending.view(new Object(), Set.of(ReadyPeer.SELF), Set.of(ReadyPeer.SELF));
        credits.countDown();
        assertEquals(List.of(AckResult.NONE, AckResult.NONE), List.of(first.get(), second.get()));
    }

    private CompletableFuture<AckResult> put(long session, String name, int bytes) {
        byte[] value = new byte[bytes];
        new Random(bytes).nextBytes(value);
        StampedBytes stamped = StampedBytes.of(new Stamp(stamps.incrementAndGet(), 1), value);
        SessionDelta delta =
                new SessionDelta(new SessionKey(session), false, null, null, null, Map.of(name, stamped), null);
        return outbox.put(NUMBER, delta, 0, Acks.ALL);
    }

    /** Acknowledges what is sent until this many whole changes were, and nothing is left. */
    private void acknowledgeAll(int changes) {
        Await.until(LIMIT, sent::size, () -> {
            List.copyOf(sent).forEach(message -> acknowledge(message));
            return outbox.sessions() == 0
                    && sent.stream()
                                    .filter(message -> !(message.frame() instanceof Part))
                                    .count()
                            >= changes;
        });
        List.copyOf(sent).forEach(message -> acknowledge(message));
    }

    private void acknowledge(Sent message) {
        sending.acknowledged(ReadyPeer.PEER, List.of(new Ack(message.number(), false)));
    }

    private List<Long> atRisk() {
        AtRisk risk = tracker.atRisk();
        return List.of(risk.sessions(), risk.changes(), risk.bytes());
    }

    private Sent last() {
        List<Sent> until = List.copyOf(sent); // More may be sent meanwhile.
        return until.get(until.size() - 1);
    }

    private int attributes(long session) {
        SessionDelta all = SessionDelta.empty(new SessionKey(session));
        for (Sent message : sent) {
            if (message.scope() == session && message.frame() instanceof Change change) {
                all = SessionDelta.join(all, change.update().delta());
            }
        }
        return all.attributes().size();
    }

    /** The large change of this session, as a receiver puts it together. */
    private SessionDelta assembled(long session) throws WireFormatException {
        FrameReassembly assemblies = new FrameReassembly(64 << 20);
        for (Sent message : sent) {
            if (message.frame() instanceof Part part) {
                assemblies.add(ReadyPeer.SELF, part, 0);
            } else if (message.scope() == session && message.frame() instanceof LastPart last) {
                byte[] whole = assemblies.complete(ReadyPeer.SELF, last);
                return ((Change) WireCodec.decode(whole, 0, whole.length))
                        .update()
                        .delta();
            }
        }
        throw new AssertionError("no last part of session " + session);
    }
}
