package io.understudy.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.lock.LockMessage.Ask;
import io.understudy.lock.LockMessage.Release;
import io.understudy.lock.LockMessage.Report;
import io.understudy.lock.LockMessage.Request;
import io.understudy.lock.LockOutput.Granted;
import io.understudy.lock.LockOutput.Send;
import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the exploration's scenarios are too small for, or its network too good. */
@Tag("rules")
class SessionLocksTest {

    private static final LockView<Integer> VIEW = new LockView<>(new LockView.Tag(7, 1), List.of(1, 2));

    private final SessionLocks<Integer> one = new SessionLocks<>(1);
    private final SessionLocks<Integer> two = new SessionLocks<>(2);

    private static SessionKey keyOf(int home) {
        return LongStream.iterate(1, value -> value + 1)
                .mapToObj(SessionKey::new)
                .filter(key -> Rendezvous.of(key, VIEW.members()) == home)
                .findFirst()
                .orElseThrow();
    }

    private static List<LockMessage> messages(List<LockOutput<Integer>> outputs) {
        List<LockMessage> messages = new ArrayList<>();
        for (LockOutput<Integer> output : outputs) {
            if (output instanceof Send<Integer> send) {
                messages.add(send.message());
            }
        }
        return messages;
    }

    private static List<Granted<Integer>> grants(List<LockOutput<Integer>> outputs) {
        List<Granted<Integer>> grants = new ArrayList<>();
        for (LockOutput<Integer> output : outputs) {
            if (output instanceof Granted<Integer> granted) {
                grants.add(granted);
            }
        }
        return grants;
    }

    @Test
    void aReportThatWasLostIsAskedForAgain() {
        one.enter(VIEW);
        two.enter(VIEW); // Its report is lost.
        assertEquals(List.of(), grants(one.claim(keyOf(1))));
        List<LockMessage> asked = messages(one.remind());
        assertEquals(List.of(new Ask(VIEW.tag())), asked);
        List<LockMessage> again = messages(two.receive(1, asked.get(0)));
        assertEquals(1, grants(one.receive(2, again.get(0))).size());
        assertEquals(List.of(), one.remind());
    }

    @Test
    void aRequestThatArrivedBeforeTheReportCountsOnce() {
        one.enter(VIEW);
        two.enter(VIEW);
        LockMessage request = messages(two.claim(keyOf(1))).get(0);
        assertEquals(List.of(), one.receive(2, request));
        LockMessage report = messages(two.receive(1, new Ask(VIEW.tag()))).get(0);
        assertEquals(1, messages(one.receive(2, report)).size());
        assertEquals(List.of(), messages(one.receive(2, messages(two.release(1)).get(0))));
        assertEquals(0, one.locksAtHome());
    }

    /** The fence says the view, and which grant of it. */
    @Test
    void aReleaseOfAnEarlierHoldIsIgnored() {
        one.enter(VIEW);
        one.receive(2, new Report(VIEW.tag(), true, true, List.of()));
        SessionKey key = keyOf(1);
        one.receive(2, new Request(VIEW.tag(), key, 5));
        long fence = (7L << 40) + 1;
        assertEquals(List.of(), grants(one.claim(key)));
        assertEquals(List.of(), grants(one.receive(2, new Release(VIEW.tag(), key, 5, fence - 1))));
        assertEquals(
                List.of(new Granted<Integer>(1, fence + 1)),
                grants(one.receive(2, new Release(VIEW.tag(), key, 5, fence))));
    }

    @Test
    void aLongReportComesInParts() {
        LockView<Integer> before = new LockView<>(new LockView.Tag(6, 2), List.of(2));
        two.enter(before);
        SessionKey key = keyOf(1);
        for (int i = 0; i < 10_000; i++) {
            two.claim(key);
        }
        one.enter(VIEW);
        List<LockMessage> reports = messages(two.enter(VIEW));
        assertEquals(3, reports.size());
        for (LockMessage report : reports) {
            assertTrue(((Report) report).claims().size() <= 4096);
            assertEquals(List.of(), one.receive(2, report), "held by the first of them");
        }
        for (long request = 1; request < 10_000; request++) {
            LockMessage grant = messages(
                            one.receive(2, messages(two.release(request)).get(0)))
                    .get(0);
            assertEquals(request + 1, grants(two.receive(1, grant)).get(0).request());
        }
    }

    /** Handing it on may have failed: its request would wait in vain, and keep the lock from all others. */
    @Test
    void aMemberInDoubtIsToldAgainOfItsOwnGrants() {
        one.enter(VIEW);
        one.receive(2, new Report(VIEW.tag(), true, true, List.of()));
        List<Granted<Integer>> granted = grants(one.claim(keyOf(1)));
        assertEquals(1, granted.size());
        assertEquals(List.of(), grants(one.remind()));
        one.unsure();
        assertEquals(granted, grants(one.remind()));
        one.release(1);
        one.unsure();
        assertEquals(List.of(), grants(one.remind()));
    }

    /** Else another one would be granted beside it. */
    @Test
    void whatWasGrantedIsStillHeldIfOnlyPartsOfReportsCome() {
        one.enter(VIEW);
        messages(two.enter(VIEW)).forEach(report -> one.receive(2, report));
        List<SessionKey> keys = LongStream.iterate(1, value -> value + 1)
                .mapToObj(SessionKey::new)
                .filter(key -> Rendezvous.of(key, VIEW.members()) == 1)
                .limit(5000)
                .toList();
        List<LockMessage> lost = new ArrayList<>();
        for (SessionKey key : keys) {
            lost.addAll(messages(one.receive(2, messages(two.claim(key)).get(0))));
        }
        assertEquals(5000, lost.size());
        two.unsure();
        List<LockMessage> parts =
                messages(two.remind()).stream().filter(Report.class::isInstance).toList();
        assertEquals(2, parts.size());
        one.receive(2, parts.get(0));
        one.unsure();
        List<LockMessage> asked = messages(one.remind());
        List<LockMessage> again = new ArrayList<>();
        for (LockMessage message : asked) {
            for (LockMessage report : messages(two.receive(1, message))) {
                again.addAll(messages(one.receive(2, report)));
            }
        }
        assertTrue(again.containsAll(lost), "all with their fences");
        assertEquals(5000, again.size());
    }

    @Test
    void anOlderViewIsNotEnteredAgain() {
        one.enter(VIEW);
        assertEquals(List.of(), one.enter(new LockView<>(new LockView.Tag(6, 1), List.of(1))));
        assertEquals(List.of(), grants(one.claim(keyOf(1))), "the present view's other member has not reported");
    }
}
