package io.understudy.cluster.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame.LastRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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
    private final LastHolder holder = new LastHolder(members, () -> self, exchange, application -> false);

    /** Or this member would leave before the last holder has pulled what it has more. */
    @Test
    void aRequestThatComesTwiceCountsOnce() {
        members.view(List.of(first, self));
        assertTrue(holder.asked(first, new LastRequest(5, SHOP, true)));
        assertTrue(holder.asked(first, new LastRequest(5, SHOP, true)));
        assertFalse(holder.gathered(SHOP, 0));
        assertTrue(holder.asked(first, new LastRequest(6, SHOP, true)));
        assertTrue(holder.gathered(SHOP, 0));
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
