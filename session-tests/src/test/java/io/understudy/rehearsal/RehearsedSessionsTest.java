package io.understudy.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is known of sessions that were rehearsed, and for how many. */
@Tag("rules")
class RehearsedSessionsTest {

    private static final int MOST = 4096;

    private final RehearsedSessions sessions = new RehearsedSessions(MOST);

    private boolean note(long key, long digest, int outcome, Predicate<SessionKey> held) {
        SessionKey session = new SessionKey(key);
        if (!sessions.hasRoomFor(session, held)) {
            return false;
        }
        sessions.note(session, digest, outcome);
        return true;
    }

    @Test
    void anOutcomeHoldsForOneStateOfTheAttributes() {
        assertEquals(RehearsedSessions.UNKNOWN, sessions.outcome(new SessionKey(0), 0));
        assertTrue(note(0, 0, 0, key -> true));
        assertTrue(note(5, 0x70, 7, key -> true));
        assertEquals(0, sessions.outcome(new SessionKey(0), 0));
        assertEquals(7, sessions.outcome(new SessionKey(5), 0x70));
        assertEquals(RehearsedSessions.UNKNOWN, sessions.outcome(new SessionKey(5), 0x80));
        assertTrue(note(5, 0x80, 0, key -> true));
        assertEquals(0, sessions.outcome(new SessionKey(5), 0x80));
        assertEquals(2, sessions.size(), "a newer state replaces the older one");
    }

    /** Against a map, with keys that meet in one place. */
    @Test
    void itKnowsWhatAMapKnows() {
        Random random = new Random(7);
        Map<Long, Long> map = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            long key = random.nextInt(3000) * (random.nextBoolean() ? 1L : 1L << 33);
            long digest = random.nextInt(3) * 16L;
            Long known = map.get(key);
            assertEquals(
                    known != null && known == digest,
                    sessions.outcome(new SessionKey(key), digest) != RehearsedSessions.UNKNOWN);
            if (note(key, digest, 1, session -> true)) {
                map.put(key, digest);
            }
        }
        assertEquals(map.size(), sessions.size());
    }

    @Test
    void aFullTableTakesNoMoreUntilSessionsAreGone() {
        Set<Long> held = new HashSet<>();
        for (long key = 1; key <= MOST; key++) {
            held.add(key);
            assertTrue(note(key, 16, 0, session -> held.contains(session.value())));
        }
        assertFalse(note(MOST + 1, 16, 0, session -> held.contains(session.value())));
        assertTrue(note(MOST, 32, 1, session -> held.contains(session.value())), "one that is known");
        held.removeIf(key -> key % 2 == 0);
        assertFalse(
                note(MOST + 1, 16, 0, session -> held.contains(session.value())),
                "it was looked through in this round");
        sessions.beginRound();
        assertTrue(note(MOST + 1, 16, 0, session -> held.contains(session.value())));
        assertEquals(MOST / 2 + 1, sessions.size());
        assertEquals(0, sessions.outcome(new SessionKey(1), 16));
        assertEquals(RehearsedSessions.UNKNOWN, sessions.outcome(new SessionKey(2), 16));
    }

    @Test
    void outcomesAreForgottenAndTheirPlacesKept() {
        for (long key = 0; key < 8; key++) {
            assertTrue(note(key, 16, (int) key, session -> true));
        }
        sessions.forget(outcome -> outcome > 1);
        sessions.forget(outcome -> outcome > 1);
        for (long key = 0; key < 8; key++) {
            assertEquals(key > 1 ? RehearsedSessions.UNKNOWN : (int) key, sessions.outcome(new SessionKey(key), 16));
        }
        assertTrue(note(7, 16, 3, session -> true));
        assertEquals(3, sessions.outcome(new SessionKey(7), 16));
        assertEquals(8, sessions.size());
    }
}
