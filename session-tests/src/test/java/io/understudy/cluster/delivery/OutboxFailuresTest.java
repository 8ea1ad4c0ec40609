package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.membership.ApplicationNumber;
import io.understudy.config.session.Acks;
import io.understudy.metrics.Counter;
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
import io.understudy.wire.Frame.Ack;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors on the thread that sends: of a heap that is full for a moment, of a class that is missing, of a defect. */
@Tag("rules")
@Timeout(300)
class OutboxFailuresTest {

    private final AckTracker tracker = new AckTracker(new ReplicationMetrics(), Address::toString);
    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final AtomicLong stamps = new AtomicLong();

    /** How many messages the transport refuses still. */
    private final AtomicInteger refused = new AtomicInteger();

    private final AtomicInteger sent = new AtomicInteger();
    private final DeltaSender sending;
    private final Outbox outbox;
    private final List<Thread> threads = new ArrayList<>();
    private final Thread thread;

    OutboxFailuresTest() {
        sending = ReadyPeer.sender(new SCOPE(), tracker, this::transport);
        outbox = outbox(Await.LIMIT);
        thread = threads.get(0);
    }

    private Outbox outbox(Duration compared) {
        Failures failures = new Failures("n1", metrics);
        Outbox made = new Outbox(sending, tracker, metrics, failures, compared);
        Thread sends = new Thread(new Loop("sending", made, failures, Thread::new), "outbox");
        sends.setDaemon(true);
        sends.start();
        threads.add(sends);
        return made;
    }

    @AfterEach
    void end() {
        outbox.stop();
    }

    /** The peer takes, and acknowledges, what is not refused. */
    private void transport(Message message) {
        if (refused.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new NoClassDefFoundError("a test's");
        }
        for (Message one : ScopedBatch.apart(message)) {
            ScopeHeader header = one.getHeader(SCOPE.ID);
            sending.acknowledged(ReadyPeer.PEER, List.of(new Ack(header.number(), false)));
            sent.incrementAndGet();
        }
    }

    /** An attribute that can't be written so many times. */
    private static final class Unwritable extends AbstractMap<String, StampedBytes> {
        private final Map<String, StampedBytes> attributes;
        private final AtomicInteger failures;

        Unwritable(Map<String, StampedBytes> attributes, int failures) {
            this.attributes = attributes;
            this.failures = new AtomicInteger(failures);
        }

        @Override
        public Set<Entry<String, StampedBytes>> entrySet() {
            if (Thread.currentThread().getName().equals("outbox") && failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("a test's");
            }
            return attributes.entrySet();
        }
    }

    private CompletableFuture<AckResult> put(long session, int bytes, int failures) {
        return put(delta(session, new Unwritable(value(bytes), failures)));
    }

    private CompletableFuture<AckResult> put(SessionDelta delta) {
        return outbox.put(ApplicationNumber.of(ReadyPeer.APPLICATION), delta, 0, Acks.ALL);
    }

    private static SessionDelta delta(long session, Unwritable attributes) {
        return new SessionDelta(new SessionKey(session), false, null, null, null, attributes, null);
    }

    /** Two attributes: a delta takes a single one out of its map. */
    private Map<String, StampedBytes> value(int bytes) {
        Stamp stamp = new Stamp(stamps.incrementAndGet(), 1);
        return Map.of(
                "a" + stamp.time(), StampedBytes.of(stamp, new byte[bytes]),
                "b" + stamp.time(), StampedBytes.tombstone(stamp));
    }

    private static AckResult outcome(CompletableFuture<AckResult> held) throws Exception {
        return held.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private List<Long> atRisk() {
        AtRisk risk = tracker.atRisk();
        return List.of(risk.sessions(), risk.changes(), risk.bytes());
    }

    /** Nothing is left of it, and nothing is at risk for ever. */
    private void awaitNothingLeft() {
        Await.until(
                Await.LIMIT,
                () -> outbox.sessions() + " sessions, at risk: " + atRisk(),
                () -> outbox.sessions() == 0 && atRisk().equals(List.of(0L, 0L, 0L)));
        assertTrue(thread.isAlive());
    }

    @Test
    void anErrorInAWriteEndsThatCommitAlone() throws Exception {
        CompletableFuture<AckResult> failed = put(1, 10, 1);
        assertEquals(AckResult.NONE, outcome(failed));
        assertEquals(AckResult.ALL, outcome(put(2, 10, 0)));
        awaitNothingLeft();
    }

    @Test
    void aSessionWhoseWriteFailedIsSentLater() throws Exception {
        assertEquals(AckResult.NONE, outcome(put(1, 10, 1)));
        AckResult second = outcome(put(1, 10, 0));
        assertEquals(AckResult.ALL, second);
        awaitNothingLeft();
    }

    @Test
    void anErrorInALargeWriteLeavesRoomForOthers() throws Exception {
        for (int session = 1; session <= 2 * Outbox.MAX_TRANSFERS; session++) {
            assertEquals(AckResult.NONE, outcome(put(session, 1 << 20, 1)));
        }
        assertEquals(AckResult.ALL, outcome(put(100, 1 << 20, 0)));
        awaitNothingLeft();
    }

    @Test
    void anErrorInTheTransportEndsItsMessageAlone() throws Exception {
        refused.set(1);
        assertEquals(AckResult.NONE, outcome(put(1, 10, 0)));
        assertEquals(AckResult.ALL, outcome(put(2, 10, 0)));
        awaitNothingLeft();
    }

    @Test
    void aPartThatCanNotBeSentEndsItsChangeAlone() throws Exception {
        refused.set(1);
        assertEquals(AckResult.NONE, outcome(put(1, 1 << 20, 0)));
        assertEquals(AckResult.ALL, outcome(put(2, 1 << 20, 0)));
        awaitNothingLeft();
    }

    @Test
    void onlyWhatFailsInARowIsTheNodesFault() throws Exception {
        assertEquals(AckResult.NONE, outcome(put(1, 10, Integer.MAX_VALUE)));
        assertFalse(outbox.failing(), "nobody could send it");
        Unwritable second = new Unwritable(value(10), Integer.MAX_VALUE);
        Unwritable third = new Unwritable(value(10), Integer.MAX_VALUE);
        assertEquals(AckResult.NONE, outcome(put(delta(2, second))));
        assertEquals(AckResult.NONE, outcome(put(delta(3, third))));
        Await.until(Await.LIMIT, outbox::sessions, outbox::failing);
        second.failures.set(0);
        third.failures.set(0);
        Await.until(Await.LIMIT, outbox::sessions, () -> !outbox.failing() && outbox.sessions() == 1);
        assertTrue(metrics.value(Counter.CHANGES_NOT_SENT) >= 3, "each of them");
    }

    @Test
    void whatWasComparedSinceIsGivenUp() throws Exception {
        Outbox shortly = outbox(Duration.ZERO);
        SessionDelta delta = delta(1, new Unwritable(value(10), Integer.MAX_VALUE));
        assertEquals(
                AckResult.NONE, outcome(shortly.put(ApplicationNumber.of(ReadyPeer.APPLICATION), delta, 0, Acks.ALL)));
        Await.until(Await.LIMIT, this::atRisk, () -> shortly.sessions() == 0 && atRisk().equals(List.of(0L, 0L, 0L)));
        shortly.stop();
    }

    @Test
    void anInterruptDoesNotEndSending() throws Exception {
        assertEquals(AckResult.ALL, outcome(put(1, 10, 0)));
        thread.interrupt();
        assertEquals(AckResult.ALL, outcome(put(2, 10, 0)));
        awaitNothingLeft();
    }
}
