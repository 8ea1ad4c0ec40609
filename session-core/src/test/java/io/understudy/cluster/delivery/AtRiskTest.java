package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.threads.AtOnce;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class AtRiskTest {

    private final AtRisk risk = new AtRisk();

    @Test
    void aSessionIsAtRiskUntilItsLastChangeIsNot() {
        AtRisk.Session seven = risk.add(7, 10);
        assertSame(seven, risk.add(7, 20));
        AtRisk.Session eight = risk.add(8, 0);
        assertRisk(2, 30);
        risk.remove(seven, 10);
        assertRisk(2, 20);
        risk.remove(eight, 0);
        assertRisk(1, 20);
        risk.remove(seven, 20);
        assertRisk(0, 0);
    }

    @Test
    void removingWhatWasNotAddedIsAnError() {
        AtRisk.Session session = risk.add(7, 10);
        risk.remove(session, 10);
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> risk.remove(session, 10));
        assertTrue(e.getMessage().contains("session 7"), e.getMessage());
        assertRisk(0, 0);
    }

    @Test
    void manyThreadsLeaveNothingBehind() throws Exception {
        AtOnce.run(8, thread -> {
            for (int i = 0; i < 10_000; i++) {
                risk.remove(risk.add(i % 3, i), i);
            }
            return thread;
        });
        assertRisk(0, 0);
    }

    @Test
    void changesAreCounted() {
        AtRisk.Session session = risk.add(7, 10);
        risk.add(7, 20);
        risk.add(8, 1);
        assertEquals(3, risk.changes());
        risk.remove(session, 10);
        assertEquals(2, risk.changes());
    }

    @Test
    void aKindOfSessionsIsCountedApart() {
        risk.add(7, 10);
        risk.add(7, 20);
        risk.add(8, 1);
        assertEquals(1, risk.sessions(key -> key == 7));
        assertEquals(30, risk.bytes(key -> key == 7));
        assertEquals(0, risk.sessions(key -> key == 9));
    }

    private void assertRisk(long sessions, long bytes) {
        assertEquals(sessions, risk.sessions());
        assertEquals(bytes, risk.bytes());
    }
}
