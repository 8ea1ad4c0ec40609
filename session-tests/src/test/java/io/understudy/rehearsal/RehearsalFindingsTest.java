package io.understudy.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.audit.AuditEvent;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What rehearsals find: figures, causes with their log lines, and the audit. */
@Tag("rules")
class RehearsalFindingsTest extends Rounds {

    @Test
    void theFigureIsExactWhereARoundSeesAll() {
        for (int i = 0; i < 500; i++) {
            session(OTHER, i % 10 == 0 ? LOST : "good");
            session(SELF, LOST);
        }
        session(OTHER);
        round();
        assertEquals(50, failing());
        assertEquals(50, rehearsal.failing(RehearsalReason.FIELDS_LOST));
        assertEquals(50, metrics.value(Counter.REHEARSALS_FIELDS_LOST));
        assertEquals("sessions that would not survive here: 50 fields_lost", rehearsal.complaint());
    }

    @Test
    void ofManySessionsTheFigureIsAnEstimate() {
        for (int i = 0; i < 20_000; i++) {
            session(OTHER, i % 10 == 0 ? LOST : "good");
        }
        round();
        assertTrue(codec.rehearsed.size() <= 2000, () -> codec.rehearsed.size() + " in one round");
        assertTrue(failing() > 1000 && failing() < 3000, () -> failing() + " of 20000, and 2000 is true");
        for (int i = 0; i < 100; i++) {
            round();
        }
        long good = codec.rehearsed.stream().filter("good"::equals).count();
        assertTrue(good > 17_000, () -> good + " after all rounds");
        assertTrue(good <= 18_000, "each once");
        assertTrue(codec.rehearsed.size() - good <= 2000 + 100, "and one that failed in each round");
    }

    @Test
    void aFailureThatIsKnownStaysInTheFigureWhateverARoundSees() {
        for (int i = 0; i < 20_000; i++) {
            session(OTHER, i == 0 ? LOST : "good");
        }
        for (int i = 0; failing() == 0; i++) {
            assertTrue(i < 500, "500 rounds saw no failure");
            round();
        }
        for (int i = 0; i < 10; i++) {
            round();
            assertTrue(failing() > 0);
        }
    }

    /** After a pause it does not know for a moment what the other members did meanwhile. */
    @Test
    void whatWasFoundStaysWhileTheNodeDoesNotVouchForItsSessions() {
        session(OTHER, LOST);
        round();
        List<String> found = rehearsal.failures();
        vouches = false;
        round();
        assertEquals(1, failing());
        assertEquals(found, rehearsal.failures());
        vouches = true;
        round();
        assertEquals(1, failing());
    }

    @Test
    void tombstonesTakeNoSessionsTurn() {
        for (int i = 0; i < 40_000; i++) {
            store.merge(SessionDelta.invalidated(session(OTHER)), 0, 0);
        }
        session(OTHER, LOST);
        round();
        assertEquals(1, failing());
    }

    @Test
    void sessionsThatNoOtherMemberKnowsDoNotCount() {
        for (int i = 0; i < 100; i++) {
            session(OTHER, i < 10 ? LOST : "good");
            SessionKey own = new SessionKey(random.nextLong());
            store.create(SessionDelta.created(own, new Stamp(stamps++, SELF), "id" + own, 1800));
        }
        round();
        assertEquals(10, failing());
    }

    @Test
    void aCauseIsLoggedWhenItBeginsAndWhenItHasEnded() {
        SessionKey first = session(OTHER, LOST);
        SessionKey second = session(OTHER, LOST);
        round();
        round();
        List<String> begun = log.with("INFO", "/shop - take-over rehearsal: attribute 'a0'", "would not survive");
        assertEquals(1, begun.size(), begun.toString());
        assertTrue(begun.get(0).contains("fields_lost") && begun.get(0).contains("shop.Cart.coupon"), begun.get(0));
        assertFalse(begun.get(0).contains("id" + first), "who reads the log could take over the session");
        assertEquals(1, rehearsal.failures().size());
        assertTrue(
                rehearsal.failures().get(0).contains(first.toString()),
                rehearsal.failures().toString());

        store.merge(SessionDelta.invalidated(first), 0, 0);
        write(store, second, OTHER, "a0", "good");
        for (int i = 0; i < 3; i++) {
            round();
            assertEquals(0, failing());
            assertEquals(List.of(), rehearsal.failures());
            assertEquals(List.of(), log.with("fails no more"));
        }
        round();
        assertEquals(
                1,
                log.with("INFO", "/shop - take-over rehearsal: attribute 'a0' fails no more")
                        .size());
        assertNull(rehearsal.complaint());

        write(store, second, OTHER, "a0", BAD + " coupon note");
        round();
        assertEquals(2, log.with("INFO", "attribute 'a0'", "would not survive").size(), "it began anew");
    }

    /** Sessions have values in some of the fields only. */
    @Test
    void fieldsThatAnUpgradeAddsAreOneCause() {
        session(OTHER, BAD + " note", "good", BAD + " gift note");
        session(OTHER, "good", BAD + " gift");
        session(OTHER, BAD + " coupon gift note");
        round();
        assertEquals(3, failing());
        assertEquals(
                1,
                log.with("take-over rehearsal").size(),
                () -> log.with("take-over rehearsal").toString());
        assertEquals(1, rehearsal.failures().size(), rehearsal.failures().toString());
    }

    @Test
    void aCauseGoesOnWithTheSessionsThatWereNotRemembered() {
        for (int i = 0; i < 100; i++) {
            session(OTHER, LOST);
        }
        round();
        Set<SessionKey> remembered = shop.failures().sessions();
        assertEquals(20, remembered.size());
        remembered.forEach(key -> write(store, key, OTHER, "a0", "good"));
        for (int i = 0; i < 10; i++) {
            round();
            assertEquals(80, failing());
            assertEquals(1, rehearsal.failures().size());
        }
        assertEquals(
                1,
                log.with("take-over rehearsal").size(),
                () -> log.with("take-over rehearsal").toString());
    }

    @Test
    void aSessionThatBecomesTheNodesOwnFailsNoMore() {
        SessionKey key = session(OTHER, LOST);
        round();
        assertEquals(1, failing());
        store.merge(SessionDelta.touched(key, new Stamp(stamps++, SELF)), 0, 0);
        round();
        assertEquals(0, failing());
        assertEquals(List.of(), rehearsal.failures());
    }

    @Test
    void theAuditNamesSessionsThatWouldNotSurvive() {
        SessionKey key = session(OTHER, LOST, LOST);
        session(OTHER, "good");
        round();
        round();
        assertEquals(1, audit.entries().size(), audit.entries().toString());
        assertEquals(AuditEvent.NOT_SURVIVING, audit.of(key).get(0).what());
        assertEquals("node1", audit.of(key).get(0).member());
    }

    @Test
    void manySessionsOfOneCauseLeaveTheAuditToOthers() {
        for (int i = 0; i < 1000; i++) {
            session(OTHER, LOST);
        }
        round();
        assertEquals(1000, failing());
        assertTrue(audit.entries().size() <= 20, () -> audit.entries().size() + " entries");
    }

    /** It had no memory, say. */
    @Test
    void whatFailedForAWhileFailsNoMore() {
        for (String value : List.of("x", "y", "z")) {
            codec.doing.put(value, () -> sneak(new OutOfMemoryError("heap")));
            session(OTHER, value);
        }
        round();
        round();
        assertEquals(3, failing());
        assertEquals(4, codec.rehearsed.size(), "one of them is tried again in each round");
        assertEquals(3, audit.entries().size(), "and noted once");
        codec.doing.clear();
        round();
        round();
        assertEquals(0, failing());
        assertEquals(List.of(), rehearsal.failures());
    }
}
