package io.understudy.session.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class WaitLimitTest {

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final WaitLimit limit = new WaitLimit(2, metrics);

    private long refused() {
        return metrics.value(Counter.REQUESTS_NOT_WAITING);
    }

    @Test
    void aRequestThatNeverWaitsTakesNoPlace() {
        try (WaitLimit.Turn turn = limit.turn()) {
            assertEquals(0, limit.waiting(), turn::toString);
        }
        assertEquals(0, limit.waiting());
    }

    @Test
    void aRequestTakesOnePlaceHoweverOftenItWaits() {
        try (WaitLimit.Turn turn = limit.turn()) {
            assertTrue(turn.mayWait());
            assertTrue(turn.mayWait());
            assertEquals(1, limit.waiting());
        }
        assertEquals(0, limit.waiting());
        assertEquals(0, refused());
    }

    @Test
    void oneMoreIsRefusedOnceAndForItsWholeTurn() {
        WaitLimit.Turn first = limit.turn();
        WaitLimit.Turn second = limit.turn();
        assertTrue(first.mayWait() && second.mayWait());
        WaitLimit.Turn third = limit.turn();
        assertFalse(third.mayWait());
        first.close();
        first.close();
        assertFalse(third.mayWait());
        third.close();
        assertEquals(1, limit.waiting());
        assertEquals(1, refused());
        assertTrue(limit.turn().mayWait());
        second.close();
    }
}
