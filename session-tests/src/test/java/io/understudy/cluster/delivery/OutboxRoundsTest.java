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
import io.understudy.wire.Frame.Ack;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.Message;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes in which round: the test makes the rounds itself. */
@Tag("rules")
@Timeout(300)
class OutboxRoundsTest {

    /** Large by the estimate of its bytes, and yet one frame. */
    private static final int NEARLY_LARGE = 200_000;

    private final AckTracker tracker = new AckTracker(new ReplicationMetrics(), Address::toString);
    private final AtomicLong stamps = new AtomicLong();

    /** Numbers that the peer has not acknowledged. */
    private final List<Long> unanswered = new ArrayList<>();

    private final DeltaSender sending;
    private final Outbox outbox;

    OutboxRoundsTest() {
        sending = ReadyPeer.sender(new SCOPE(), tracker, this::transport);
        Failures failures = new Failures("n1", new ReplicationMetrics());
        outbox = new Outbox(sending, tracker, new ReplicationMetrics(), failures, Await.LIMIT);
    }

    private void transport(Message message) {
        for (Message one : ScopedBatch.apart(message)) {
            ScopeHeader header = one.getHeader(SCOPE.ID);
            unanswered.add(header.number());
        }
    }

    private void acknowledge() {
        List<Ack> acks =
                unanswered.stream().map(number -> new Ack(number, false)).toList();
        unanswered.clear();
        sending.acknowledged(ReadyPeer.PEER, acks);
    }

    private CompletableFuture<AckResult> put(long session, int bytes) {
        StampedBytes value = StampedBytes.of(new Stamp(stamps.incrementAndGet(), 1), new byte[bytes]);
        SessionDelta delta =
                new SessionDelta(new SessionKey(session), false, null, null, null, Map.of("a", value), null);
        return outbox.put(ApplicationNumber.of(ReadyPeer.APPLICATION), delta, 0, Acks.ALL);
    }

    /** Each is one frame, so none of them is a transfer, by whose end the next one would begin. */
    @Test
    void nearlyLargeChangesGoAsLargeOnesEnd() throws Exception {
        for (int session = 1; session <= Outbox.MAX_TRANSFERS; session++) {
            CompletableFuture<AckResult> unused = put(session, 1 << 20);
        }
        assertTrue(outbox.round());
        int waiting = 10 * Outbox.MAX_TRANSFERS;
        for (int session = 101; session <= 100 + waiting; session++) {
            CompletableFuture<AckResult> unused = put(session, NEARLY_LARGE);
        }
        assertTrue(outbox.round());
        assertEquals(waiting + Outbox.MAX_TRANSFERS, outbox.sessions(), "they wait for the large ones");
        for (int rounds = 0; outbox.sessions() > waiting; rounds++) {
            assertTrue(rounds < 100, "the large ones go");
            acknowledge();
            assertTrue(outbox.round());
        }
        for (int rounds = 0; outbox.sessions() > 0 && rounds < 20; rounds++) {
            assertTrue(outbox.round());
        }
        assertEquals(0, outbox.sessions(), "that wait, though every round has room for some");
        acknowledge();
        assertFalse(tracker.expecting());
    }

    /** The peer is gone, so the change waits for no acknowledgement, and then there is no memory to send it. */
    @Test
    void settledEndsThoughACompleteChangeFailed() throws Exception {
        sending.view(new Object(), Set.of(ReadyPeer.SELF), Set.of(ReadyPeer.SELF));
        CompletableFuture<AckResult> held = put(1, 10);
        CompletableFuture<Void> settled = outbox.settled();
        takeRoom();
        assertTrue(outbox.round());
        assertEquals(AckResult.NONE, held.join());
        assertEquals(List.of(0, 0L), List.of(outbox.sessions(), tracker.atRisk().changes()));
        assertTrue(settled.isDone(), "a node that turns coherent waits for this");
    }

    /** The message that is being gathered takes nothing any more, as without memory. */
    private void takeRoom() throws ReflectiveOperationException {
        Field batch = DeltaSender.class.getDeclaredField("batch");
        Field lengths = ScopedBatch.class.getDeclaredField("lengths");
        batch.setAccessible(true);
        lengths.setAccessible(true);
        lengths.set(batch.get(sending), new int[0]);
    }
}
