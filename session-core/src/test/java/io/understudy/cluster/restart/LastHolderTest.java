package io.understudy.cluster.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.restart.LastHolderElection.Fate;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame.LastAnswer;
import io.understudy.wire.Frame.LastRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class LastHolderTest {

    private static final long SHOP = 7;

    private final Address first = new UUID(0, 1);
    private final Address self = new UUID(0, 2);
    private final Members members = new Members(() -> self, () -> 0);

    /** Questions that were to be sent. */
    private final AtomicLong questions = new AtomicLong();

    private final RequestCorrelator exchange = new RequestCorrelator(
            (member, frame) -> {
                questions.incrementAndGet();
                throw new NoClassDefFoundError("a test's");
            },
            new Failures("n1", new ReplicationMetrics()));
    private final LastHolder holder =
            new LastHolder(members, () -> self, exchange, application -> false, application -> false);

    /** As where who decided has left, and who was chosen does not claim it. */
    @Test
    void whoClaimsItAsNobodyDoesIsTheLast() {
        members.view(List.of(first, self));
        assertFalse(asking(false).isLast(SHOP));
        assertFalse(asking(false).isLastAsNobodyIs(SHOP), "the other one claims it, too");
        assertTrue(asking(true).isLastAsNobodyIs(SHOP));
    }

    /** It decided by what it knew when it was in the view: of a member that had not said goodbye, and left since then. */
    @Test
    void aDecisionDoesNotCountWhenWhoMadeItHasLeft() {
        members.view(List.of(first, self));
        LastHolder asking = asking(false);
        assertFalse(asking.isLast(SHOP));
        members.view(List.of(self));
        assertEquals(Fate.UNDECIDED, asking.awaitKept(SHOP, System.nanoTime()));
        assertTrue(asking.isLast(SHOP));
    }

    private LastHolder asking(boolean answer) {
        AtomicReference<RequestCorrelator> answering = new AtomicReference<>();
        answering.set(new RequestCorrelator(
                (member, frame) ->
                        answering.get().answered(member, new LastAnswer(((LastRequest) frame).request(), answer)),
                new Failures("n1", new ReplicationMetrics())));
        return new LastHolder(members, () -> self, answering.get(), application -> false, application -> false);
    }

    /** For 5 seconds, every 50 ms; then this member keeps the sessions. */
    @Test
    void whoCanNotAskRestsInBetween() {
        members.view(List.of(first, self));
        assertTrue(holder.isLast(SHOP));
        long most = (5000 / 50 + 1 + 2) * Failures.TRIES; // With what it tells when it keeps them, twice.
        assertTrue(questions.get() <= most, questions + " questions");
        assertEquals(0, exchange.open());
    }
}
