package io.understudy.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.replica.SessionKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class AuditRingTest {

    private final AuditRing ring = new AuditRing();

    @Test
    void theOldestGoWhenItIsFull() {
        for (int i = 0; i < AuditRing.CAPACITY + 3; i++) {
            ring.add(i, "id" + i, new SessionKey(i), AuditEvent.EXPIRED, "node1");
        }
        assertEquals(AuditRing.CAPACITY, ring.entries().size());
        assertEquals(3, ring.entries().get(0).time());
        assertEquals(
                AuditRing.CAPACITY + 2,
                ring.entries().get(AuditRing.CAPACITY - 1).time());
        assertEquals(0, ring.of("id2").size());
        assertEquals(1, ring.of("id3").size());
    }

    @Test
    void entriesAreFoundByIdByKeyAndByWhatHappened() {
        SessionKey key = new SessionKey(7);
        ring.add(1, "before", key, AuditEvent.CLAIMED, "node1");
        ring.add(2, "after", key, AuditEvent.FIRED, "node1");
        ring.add(3, null, key, AuditEvent.INVALIDATED, "node1");
        ring.add(4, "after", new SessionKey(8), AuditEvent.FIRED, "node2");
        assertEquals(2, ring.of("after").size());
        assertEquals(3, ring.of(key).size());
        assertEquals(2, ring.of(AuditEvent.FIRED).size());
    }

    @Test
    void aLineShowsNoWholeId() {
        ring.add(0, "0123456789ABCDEF", new SessionKey(7), AuditEvent.FIRED_AGAIN, "node1");
        String line = ring.entries().get(0).toString();
        assertFalse(line.contains("0123456789"), line);
        assertEquals("1970-01-01T00:00:00Z FIRED_AGAIN session 012345... key 7 by node1", line);
    }
}
