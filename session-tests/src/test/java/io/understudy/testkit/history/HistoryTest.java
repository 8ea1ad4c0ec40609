package io.understudy.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.history.Write.Kind;
import io.understudy.testkit.history.Write.Outcome;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The checker finds what it has to find, and nothing else. */
@Tag("rules")
class HistoryTest {

    private static final long MILLI = 1_000_000;

    private final History history = new History();
    private final Map<String, Map<String, Map<String, String>>> members = new TreeMap<>();
    private long now = 1000 * MILLI;

    private String write(String attribute, Kind kind, Outcome outcome, String node) {
        long number = history.number();
        long began = now;
        now += 5 * MILLI;
        history.add(new Write(number, "s", attribute, kind, node, outcome, began, now));
        now += 5 * MILLI;
        return History.value(number, 10);
    }

    private void created() {
        write("", Kind.CREATE, Outcome.ACKNOWLEDGED, "a");
    }

    private String set(Outcome outcome) {
        return write("x", Kind.SET, outcome, "a");
    }

    /** Both members hold the session with this value. */
    private Verdict with(String value) {
        members.put("a", Map.of("id", Map.of(History.NAME, "s", "x", value)));
        members.put("b", Map.of("id", Map.of(History.NAME, "s", "x", value)));
        return history.judge(members, Promise.ACKNOWLEDGED);
    }

    private Verdict withoutAttribute() {
        members.put("a", Map.of("id", Map.of(History.NAME, "s")));
        return history.judge(members, Promise.ACKNOWLEDGED);
    }

    private Verdict withoutSession() {
        members.put("a", Map.of());
        return history.judge(members, Promise.ACKNOWLEDGED);
    }

    @Test
    void theLastAcknowledgedWriteIsRight() {
        created();
        set(Outcome.ACKNOWLEDGED);
        assertTrue(with(set(Outcome.ACKNOWLEDGED)).holds());
    }

    @Test
    void anEarlierWriteThanTheLastAcknowledgedOneIsALoss() {
        created();
        String first = set(Outcome.ACKNOWLEDGED);
        set(Outcome.ACKNOWLEDGED);
        assertEquals(2, with(first).lostAttributes(), "on each of two members");
    }

    @Test
    void aDegradedOrUnansweredWriteMayBeMissingOrThere() {
        created();
        String kept = set(Outcome.ACKNOWLEDGED);
        String degraded = set(Outcome.DEGRADED);
        String unknown = set(Outcome.UNKNOWN);
        assertTrue(with(kept).holds());
        assertEquals(2, with(kept).lostUnpromised());
        assertTrue(with(degraded).holds());
        assertTrue(with(unknown).holds());
    }

    @Test
    void whereNobodyDiedDegradedWritesAreThereToo() {
        created();
        String first = set(Outcome.ACKNOWLEDGED);
        set(Outcome.DEGRADED);
        with(first);
        assertEquals(2, history.judge(members, Promise.ALL_ANSWERED).lostAttributes());
    }

    @Test
    void ofConcurrentWritesEitherMayWin() {
        created();
        long began = now;
        for (String node : new String[] {"a", "b"}) {
            history.add(new Write(
                    history.number(), "s", "x", Kind.SET, node, Outcome.ACKNOWLEDGED, began, began + 9 * MILLI));
        }
        assertTrue(with(History.value(1 + 1, 5)).holds());
        assertTrue(with(History.value(1 + 2, 5)).holds());
    }

    @Test
    void aLostRemovalIsALossWithoutAValue() {
        created();
        String kept = set(Outcome.ACKNOWLEDGED);
        set(Outcome.DEGRADED);
        assertEquals(Set.of(new Verdict.Loss("s", "x", false)), with(kept).losses());
        write("x", Kind.REMOVE, Outcome.DEGRADED, "a");
        write("x", Kind.SET, Outcome.UNKNOWN, "a");
        assertEquals(Set.of(new Verdict.Loss("s", "x", true)), with(kept).losses());
    }

    @Test
    void aMissingAttributeIsALoss() {
        created();
        set(Outcome.ACKNOWLEDGED);
        assertEquals(1, withoutAttribute().lostAttributes());
    }

    @Test
    void aRemovedAttributeStaysAway() {
        created();
        String value = set(Outcome.ACKNOWLEDGED);
        write("x", Kind.REMOVE, Outcome.ACKNOWLEDGED, "b");
        assertTrue(withoutAttribute().holds());
        members.clear();
        assertEquals(2, with(value).resurrected());
    }

    @Test
    void anAttributeSetAfterItsRemovalIsExpected() {
        created();
        set(Outcome.ACKNOWLEDGED);
        write("x", Kind.REMOVE, Outcome.ACKNOWLEDGED, "b");
        String again = set(Outcome.ACKNOWLEDGED);
        assertEquals(1, withoutAttribute().lostAttributes());
        members.clear();
        assertTrue(with(again).holds());
    }

    @Test
    void aSessionThatNobodyEndedIsExpected() {
        created();
        assertEquals(1, withoutSession().lostSessions());
    }

    @Test
    void aSessionWhoseCreationWasNotAcknowledgedMayBeGone() {
        write("", Kind.CREATE, Outcome.UNKNOWN, "a");
        assertTrue(withoutSession().holds());
    }

    @Test
    void anEndedSessionStaysAway() {
        created();
        String value = set(Outcome.ACKNOWLEDGED);
        write("", Kind.INVALIDATE, Outcome.ACKNOWLEDGED, "b");
        assertTrue(withoutSession().holds());
        members.clear();
        assertEquals(2, with(value).resurrected());
    }

    @Test
    void anEndThatWasNotAnsweredMayHaveHappened() {
        created();
        String value = set(Outcome.ACKNOWLEDGED);
        write("", Kind.INVALIDATE, Outcome.UNKNOWN, "b");
        assertTrue(withoutSession().holds());
        members.clear();
        assertTrue(with(value).holds());
    }

    @Test
    void membersThatDifferAreFound() {
        created();
        String first = set(Outcome.UNKNOWN);
        String second = set(Outcome.UNKNOWN);
        with(first);
        members.put("b", Map.of("id", Map.of(History.NAME, "s", "x", second)));
        Verdict verdict = history.judge(members, Promise.ACKNOWLEDGED);
        assertEquals(1, verdict.unequal());
        assertEquals(0, verdict.lostAttributes());
    }

    @Test
    void whatNobodyWroteIsFound() {
        created();
        assertEquals(2, with("7777|").unexplained());
        members.put("a", Map.of("id", Map.of("x", "1")));
        assertTrue(history.judge(members, Promise.ACKNOWLEDGED).unexplained() > 0);
    }

    @Test
    void aSessionThatIsThereTwiceIsFound() {
        created();
        members.put("a", Map.of("id", Map.of(History.NAME, "s"), "id2", Map.of(History.NAME, "s")));
        assertEquals(1, history.judge(members, Promise.ACKNOWLEDGED).unexplained());
    }

    @Test
    void aReadThatMissesAnAcknowledgedWriteIsStale() {
        created();
        String first = set(Outcome.ACKNOWLEDGED);
        history.read("s", "x", first, "b", now);
        long before = now - 8 * MILLI;
        String second = set(Outcome.ACKNOWLEDGED);
        history.read("s", "x", first, "b", before);
        assertTrue(with(second).holds());
        history.read("s", "x", first, "b", now);
        assertEquals(1, with(second).staleReads());
        history.read("s", "x", null, "b", now);
        assertEquals(2, with(second).staleReads());
    }
}
