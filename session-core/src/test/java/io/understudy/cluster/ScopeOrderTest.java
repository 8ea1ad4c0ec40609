package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.cluster.ScopeOrder.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScopeOrderTest {

    private static final long A = 100;
    private static final long B = 200;
    private static final int MAX_MESSAGES = 6;

    private final ScopeOrder<ScopeHeader> order = new ScopeOrder<>(1);

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
        ScopeOrder<ScopeHeader> order = new ScopeOrder<>(1);
        List<ScopeHeader> applied = new ArrayList<>();
        for (ScopeHeader header : arrivals) {
            applied.addAll(drain(order, order.offer(header, header, 0)));
        }
        for (long scope : new long[] {A, B}) {
            assertEquals(ofScope(sent, scope), ofScope(applied, scope), () -> "arrived as " + arrivals);
        }
        assertEquals(sent.size(), applied.size());
        assertEquals(0, order.heldCount());
    }

    @Test
    void aGapInOneScopeDoesNotDelayAnother() {
        assertNull(order.offer(header(A, 3, 1), header(A, 3, 1), 0));
        ScopeHeader other = header(B, 4, 0);
        assertEquals(List.of(other), drain(order, order.offer(other, other, 0)));
        assertEquals(List.of(1, 1), List.of(order.heldCount(), (int) order.everHeld()));
        assertEquals(2, order.scopeCount());
    }

    @Test
    void whatWasSentBeforeThisMemberListenedIsNotWaitedFor() {
        ScopeOrder<ScopeHeader> late = new ScopeOrder<>(10);
        ScopeHeader first = header(A, 12, 9);
        assertEquals(List.of(first), drain(late, late.offer(first, first, 0)));
        ScopeHeader waits = header(B, 13, 10);
        assertNull(late.offer(waits, waits, 0), "number 10 was sent to this member and is on its way");
    }

    @Test
    void lateAndRepeatedMessagesGoAtOnce() {
        ScopeHeader first = header(A, 1, 0);
        ScopeHeader second = header(A, 2, 1);
        drain(order, order.offer(first, first, 0));
        drain(order, order.offer(second, second, 0));
        assertEquals(List.of(second), drain(order, order.offer(second, second, 0)));
        assertEquals(List.of(first), drain(order, order.offer(first, first, 0)));
        ScopeHeader third = header(A, 3, 2);
        assertEquals(List.of(third), drain(order, order.offer(third, third, 0)), "the position did not go back");
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
        assertEquals(1, order.heldCount());
        assertEquals(List.of(6L), numbers(drain(order, order.release(1200).get(0))));
        assertEquals(3, order.everHeld());
    }

    @Test
    void aReleasedScopeGoesOnFromWhereItIs() {
        offer(header(A, 5, 4), 0);
        drain(order, order.release(0).get(0));
        ScopeHeader next = header(A, 7, 5);
        assertEquals(List.of(next), drain(order, order.offer(next, next, 1)));
        ScopeHeader late = header(A, 4, 0);
        assertEquals(List.of(late), drain(order, order.offer(late, late, 2)));
    }

    @Test
    void aForgottenScopeIsFreedAndStartsAnew() {
        ScopeHeader first = header(A, 1, 0);
        drain(order, order.offer(first, first, 0));
        order.forget(A);
        assertEquals(0, order.scopeCount());
        assertNull(order.offer(header(A, 3, 2), header(A, 3, 2), 0));
        order.forget(A);
        assertEquals(0, order.heldCount());
    }

    @Test
    void oneWorkerAtATimeHasAScopeAndMissesNothing() {
        ScopeHeader first = header(A, 1, 0);
        ScopeHeader second = header(A, 2, 1);
        Scope<ScopeHeader> scope = order.offer(first, first, 0);
        assertNotNull(scope);
        assertNull(order.offer(second, second, 0), "the scope has its worker");
        assertEquals(List.of(first, second), order.take(scope));
        ScopeHeader third = header(A, 3, 2);
        assertNull(order.offer(third, third, 0), "the worker has not given the scope back yet");
        assertEquals(List.of(third), order.take(scope));
        assertEquals(List.of(), order.take(scope));
        ScopeHeader fourth = header(A, 4, 3);
        assertNotNull(order.offer(fourth, fourth, 0), "the scope was given back");
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
        CountDownLatch start = new CountDownLatch(1);
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> work = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                work.add(pool.submit(() -> {
                    start.await();
                    for (int at = next.getAndIncrement(); at < sent.size(); at = next.getAndIncrement()) {
                        ScopeHeader header = sent.get(at ^ 63);
                        Scope<ScopeHeader> claimed = order.offer(header, header, 0);
                        while (claimed != null) {
                            List<ScopeHeader> some = order.take(claimed);
                            some.forEach(m -> applied.get(m.scope()).add(m.number()));
                            claimed = some.isEmpty() ? null : claimed;
                        }
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> done : work) {
                done.get();
            }
        } finally {
            pool.shutdownNow();
        }
        for (long scope = 0; scope < scopes; scope++) {
            assertEquals(numbers(ofScope(sent, scope)), applied.get(scope));
        }
        assertEquals(0, order.heldCount());
    }

    private void offer(ScopeHeader header, long now) {
        assertNull(order.offer(header, header, now));
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
        return new ScopeHeader(scope, number, previous);
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
