package io.understudy.ordering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.ordering.ScopeOrder.Scope;
import io.understudy.threads.AtOnce;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ScopeOrderTest {

    private static final long A = 100;
    private static final long B = 200;
    private static final int MAX_MESSAGES = 6;

    private static final int GAP = 100;
    private static final int SCOPE_BYTES = 1000;
    private static final int ALL_BYTES = 2500;
    private static final ScopeOrder.Limits LIMITS = new ScopeOrder.Limits(GAP, SCOPE_BYTES, ALL_BYTES);

    private final ScopeFigures figures = new ScopeFigures();
    private final ScopeOrder<ScopeHeader> order = order(figures);

    /** Every order in which up to six messages can arrive, for every way to spread them over two sessions. */
    @Test
    void everyArrivalOrderEndsInTheOrderOfSending() {
        for (int count = 1; count <= MAX_MESSAGES; count++) {
            for (int spread = 0; spread < 1 << count; spread++) {
                List<ScopeHeader> sent = sent(count, spread);
                permute(new ArrayList<>(sent), 0, arrivals -> checkRestored(sent, arrivals));
            }
        }
    }

    private static void checkRestored(List<ScopeHeader> sent, List<ScopeHeader> arrivals) {
        ScopeFigures figures = new ScopeFigures();
        ScopeOrder<ScopeHeader> order = order(figures);
        List<ScopeHeader> applied = new ArrayList<>();
        for (ScopeHeader header : arrivals) {
            applied.addAll(drain(order, order.offer(header, header, 1, 0)));
        }
        for (long scope : new long[] {A, B}) {
            assertEquals(ofScope(sent, scope), ofScope(applied, scope), () -> "arrived as " + arrivals);
        }
        assertEquals(sent.size(), applied.size());
        assertEquals(List.of(0L, 0L), List.of(figures.heldNow(), figures.heldBytes()));
    }

    @Test
    void aGapInOneScopeDoesNotDelayAnother() {
        assertNull(order.offer(header(A, 3, 1), header(A, 3, 1), 1, 0));
        ScopeHeader other = header(B, 4, 0);
        assertEquals(List.of(other), drain(order, order.offer(other, other, 1, 0)));
        assertEquals(List.of(1L, 1L), List.of(figures.heldNow(), figures.everHeld()));
        assertEquals(2, order.scopeCount());
    }

    /** A worker may be at it, and there may be a million of them. */
    @Test
    void whoGivesUpWaitingLooksOnlyAtScopesThatWait() throws Exception {
        ScopeHeader passed = header(A, 1, 0);
        Scope<ScopeHeader> idle = order.offer(passed, passed, 1, 0);
        assertNotNull(idle);
        ScopeHeader waits = header(B, 4, 3);
        assertNull(order.offer(waits, waits, 1, 0));
        synchronized (idle) {
            assertEquals(
                    1,
                    AtOnce.beside(() -> order.release(0))
                            .get(30, TimeUnit.SECONDS)
                            .size());
        }
    }

    @Test
    void whatWasSentBeforeThisMemberListenedIsNotWaitedFor() {
        ScopeHeader first = new ScopeHeader(A, 12, 9, 10);
        assertEquals(List.of(first), drain(order, order.offer(first, first, 1, 0)));
        assertFalse(first.afterGap(), "of a scope that is new here nothing was missed that joining does not bring");
        ScopeHeader waits = new ScopeHeader(B, 13, 11, 10);
        assertNull(order.offer(waits, waits, 1, 0), "number 11 was sent to this member and is on its way");
    }

    @Test
    void aMessageSentBeforeTheOriginKnewThisMemberTellsALowerBaseAndWaitsForNothingLost() {
        ScopeHeader early = new ScopeHeader(A, 10, 9, 5);
        assertNull(order.offer(early, early, 1, 0), "by its base number 9 is on its way");
        ScopeHeader other = new ScopeHeader(B, 11, 0, 10);
        drain(order, order.offer(other, other, 1, 1));
        assertEquals(List.of(10L), numbers(drain(order, order.release(-1).get(0))), "now its origin says it is not");
    }

    @Test
    void whatWaitedForSomethingLostGoesBeforeTheNextOfItsScopeWhichTellsSo() {
        ScopeHeader early = new ScopeHeader(A, 10, 9, 5);
        assertNull(order.offer(early, early, 1, 0), "by its base number 9 is on its way");
        ScopeHeader next = new ScopeHeader(A, 12, 10, 11);
        assertEquals(List.of(early, next), drain(order, order.offer(next, next, 1, 1)));
        ScopeHeader after = new ScopeHeader(A, 13, 12, 11);
        assertEquals(List.of(after), drain(order, order.offer(after, after, 1, 2)), "number 12 has gone");
    }

    @Test
    void anOldMemberWaitsForWhatWasSentBeforeAnotherJoined() {
        ScopeHeader first = header(A, 1, 0);
        drain(order, order.offer(first, first, 1, 0));
        ScopeHeader after = new ScopeHeader(A, 4, 3, 3);
        assertNull(order.offer(after, after, 1, GAP), "the base is of a view that changed nothing for this member");
    }

    @Test
    void afterAMergeWhatWasMissedIsNotWaitedForButPulled() {
        ScopeHeader first = header(A, 1, 0);
        drain(order, order.offer(first, first, 1, 0));
        order.listen();
        ScopeHeader after = new ScopeHeader(A, 9, 8, 8);
        assertEquals(List.of(after), drain(order, order.offer(after, after, 1, 10 * GAP)));
        assertTrue(after.afterGap(), "number 8 was sent while the members were apart");
        assertEquals(1, figures.gaps());
    }

    @Test
    void anOriginThatLeftIsNotWaitedForNeitherByWhatIsHeldNorByWhatComes() {
        offer(header(A, 3, 2), 0);
        assertEquals(List.of(3L), numbers(drain(order, order.close().get(0))));
        ScopeHeader straggler = header(A, 7, 6);
        assertEquals(List.of(straggler), drain(order, order.offer(straggler, straggler, 1, 0)));
        assertTrue(straggler.afterGap());
    }

    /** The thread that reads has seen that the origin is there, and the message has no place yet where it is looked for. */
    @Test
    void whatIsTakenInAsTheOriginLeavesIsNotHeld() {
        List<Scope<ScopeHeader>> found = new ArrayList<>();
        List<ScopeOrder<ScopeHeader>> leaving = new ArrayList<>();
        ScopeOrder<ScopeHeader> left = new ScopeOrder<>(LIMITS, figures, message -> {
            leaving.forEach(each -> found.addAll(closedBeside(each)));
            return message;
        });
        leaving.add(left);
        ScopeHeader waits = header(A, 3, 2);
        assertEquals(List.of(waits), drain(left, left.offer(waits, waits, 1, 0)));
        assertTrue(waits.held() && waits.afterGap());
        assertEquals(List.of(), found);
        assertEquals(List.of(0L, 0L), List.of(figures.heldNow(), figures.heldBytes()));
    }

    private static List<Scope<ScopeHeader>> closedBeside(ScopeOrder<ScopeHeader> order) {
        try {
            return AtOnce.beside(order::close).get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aScopeThatHoldsTooManyBytesWaitsNoLonger() {
        ScopeHeader first = header(A, 3, 1);
        assertNull(order.offer(first, first, SCOPE_BYTES, 0));
        ScopeHeader second = header(A, 5, 4);
        assertEquals(List.of(first, second), drain(order, order.offer(second, second, 1, 0)));
        assertTrue(first.afterGap() && second.afterGap());
        assertEquals(List.of(2L, 2L, 0L), List.of(figures.released(), figures.gaps(), figures.heldBytes()));
    }

    @Test
    void scopesThatTogetherHoldTooManyBytesWaitNoLonger() {
        for (long scope = 1; scope <= 3; scope++) {
            ScopeHeader held = header(scope, 10 + scope, 5);
            Scope<ScopeHeader> claimed = order.offer(held, held, SCOPE_BYTES, 0);
            assertEquals(scope == 3 ? List.of(held) : List.of(), drain(order, claimed));
        }
        assertEquals(2L * SCOPE_BYTES, figures.heldBytes());
    }

    @Test
    void aSecondCopyOfAHeldMessageDoesNotOvertakeIt() {
        ScopeHeader second = header(A, 2, 1);
        offer(second, 0);
        ScopeHeader copy = header(A, 2, 1);
        offer(copy, 0);
        assertTrue(second.held() && copy.held(), "both are to give their credits back");
        ScopeHeader first = header(A, 1, 0);
        assertEquals(List.of(first, second), drain(order, order.offer(first, first, 1, 0)));
        assertFalse(first.held() || second.afterGap());
    }

    @Test
    void lateAndRepeatedMessagesGoAtOnce() {
        ScopeHeader first = header(A, 1, 0);
        ScopeHeader second = header(A, 2, 1);
        drain(order, order.offer(first, first, 1, 0));
        drain(order, order.offer(second, second, 1, 0));
        assertEquals(List.of(second), drain(order, order.offer(second, second, 1, 0)));
        assertEquals(List.of(first), drain(order, order.offer(first, first, 1, 0)));
        ScopeHeader third = header(A, 3, 2);
        assertEquals(List.of(third), drain(order, order.offer(third, third, 1, 0)), "the position did not go back");
    }

    @Test
    void theTimerReleasesWhatWaitedLongEnoughInOrderAndNothingElse() {
        offer(header(A, 5, 4), 1000);
        offer(header(A, 3, 2), 1300);
        offer(header(B, 6, 1), 1200);
        assertEquals(List.of(), order.release(999));
        List<Scope<ScopeHeader>> released = order.release(1000);
        assertEquals(1, released.size());
        assertEquals(List.of(3L, 5L), numbers(drain(order, released.get(0))));
        assertEquals(1, figures.heldNow());
        assertEquals(List.of(6L), numbers(drain(order, order.release(1200).get(0))));
        assertEquals(3, figures.everHeld());
    }

    @Test
    void aReleasedScopeGoesOnFromWhereItIs() {
        offer(header(A, 5, 4), 0);
        drain(order, order.release(0).get(0));
        ScopeHeader next = header(A, 7, 5);
        assertEquals(List.of(next), drain(order, order.offer(next, next, 1, 1)));
        ScopeHeader late = header(A, 4, 0);
        assertEquals(List.of(late), drain(order, order.offer(late, late, 1, 2)));
    }

    @Test
    void whatStillWaitsAfterAPartialReleaseHasItsWholeTime() {
        offer(header(A, 3, 2), 0);
        offer(header(A, 7, 6), 80);
        ScopeHeader second = header(A, 2, 0);
        assertEquals(List.of(2L, 3L), numbers(drain(order, order.offer(second, second, 1, 90))));
        assertEquals(List.of(), order.release(79), "the message that waits since 0 is gone");
        assertEquals(List.of(7L), numbers(drain(order, order.release(80).get(0))));
    }

    @Test
    void aScopeThatHeardNothingIsFreedAndNothingOldIsWaitedFor() {
        ScopeHeader first = header(A, 1, 0);
        drain(order, order.offer(first, first, 1, 0));
        order.sweep();
        assertEquals(1, order.scopeCount());
        order.sweep();
        assertEquals(0, order.scopeCount());
        ScopeHeader next = header(A, 3, 1);
        assertEquals(List.of(next), drain(order, order.offer(next, next, 1, 0)));
        assertFalse(next.afterGap());
        ScopeHeader gap = header(B, 5, 4);
        assertNull(order.offer(gap, gap, 1, 0), "number 4 is new");
        order.sweep();
        order.sweep();
        order.sweep();
        assertEquals(1, order.scopeCount(), "what holds a message stays");
    }

    @Test
    void oneWorkerAtATimeHasAScopeAndMissesNothing() {
        ScopeHeader first = header(A, 1, 0);
        ScopeHeader second = header(A, 2, 1);
        Scope<ScopeHeader> scope = order.offer(first, first, 1, 0);
        assertNotNull(scope);
        assertNull(order.offer(second, second, 1, 0), "the scope has its worker");
        assertEquals(List.of(first, second), order.take(scope));
        ScopeHeader third = header(A, 3, 2);
        assertNull(order.offer(third, third, 1, 0), "the worker has not given the scope back yet");
        assertEquals(List.of(third), order.take(scope));
        assertEquals(List.of(), order.take(scope));
        ScopeHeader fourth = header(A, 4, 3);
        assertNotNull(order.offer(fourth, fourth, 1, 0), "the scope was given back");
    }

    @Test
    void manyThreadsOfferingLeaveEachScopeInOrder() throws Exception {
        int scopes = 16;
        int perScope = 500;
        int threads = 8;
        List<ScopeHeader> sent = new ArrayList<>();
        for (int i = 0; i < scopes * perScope; i++) {
            int before = i - scopes;
            sent.add(header(i % scopes, i + 1, before < 0 ? 0 : before + 1));
        }
        Map<Long, List<Long>> applied = new HashMap<>();
        for (long scope = 0; scope < scopes; scope++) {
            applied.put(scope, new ArrayList<>()); // Not safe for threads: the scope's worker is alone, or this breaks.
        }
        AtomicInteger next = new AtomicInteger();
        AtOnce.run(threads, thread -> {
            for (int at = next.getAndIncrement(); at < sent.size(); at = next.getAndIncrement()) {
                ScopeHeader header = sent.get(at ^ 63);
                Scope<ScopeHeader> claimed = order.offer(header, header, 1, 0);
                while (claimed != null) {
                    List<ScopeHeader> some = order.take(claimed);
                    some.forEach(m -> applied.get(m.scope()).add(m.number()));
                    claimed = some.isEmpty() ? null : claimed;
                }
            }
            return thread;
        });
        for (long scope = 0; scope < scopes; scope++) {
            assertEquals(numbers(ofScope(sent, scope)), applied.get(scope));
        }
        assertEquals(List.of(0L, 0L), List.of(figures.heldNow(), figures.heldBytes()));
    }

    private static ScopeOrder<ScopeHeader> order(ScopeFigures figures) {
        return new ScopeOrder<>(LIMITS, figures, held -> held);
    }

    private void offer(ScopeHeader header, long now) {
        assertNull(order.offer(header, header, 1, now));
    }

    private static List<ScopeHeader> drain(ScopeOrder<ScopeHeader> order, Scope<ScopeHeader> claimed) {
        List<ScopeHeader> all = new ArrayList<>();
        if (claimed != null) {
            for (List<ScopeHeader> some = order.take(claimed); !some.isEmpty(); some = order.take(claimed)) {
                all.addAll(some);
            }
        }
        return all;
    }

    private static ScopeHeader header(long scope, long number, long previous) {
        return new ScopeHeader(scope, number, previous, 0);
    }

    /** Messages 1 to {@code count}; bit i of {@code spread} says which session message i + 1 is of. */
    private static List<ScopeHeader> sent(int count, int spread) {
        Map<Long, Long> previous = new HashMap<>();
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    long scope = (spread >> i & 1) == 0 ? A : B;
                    Long before = previous.put(scope, i + 1L);
                    return header(scope, i + 1L, before == null ? 0 : before);
                })
                .toList();
    }

    private static List<ScopeHeader> ofScope(List<ScopeHeader> messages, long scope) {
        return messages.stream().filter(message -> message.scope() == scope).toList();
    }

    private static List<Long> numbers(List<ScopeHeader> messages) {
        return messages.stream().map(ScopeHeader::number).toList();
    }

    private static <T> void permute(List<T> items, int from, Consumer<List<T>> use) {
        if (from == items.size()) {
            use.accept(items);
            return;
        }
        for (int i = from; i < items.size(); i++) {
            Collections.swap(items, from, i);
            permute(items, from + 1, use);
            Collections.swap(items, from, i);
        }
    }
}
