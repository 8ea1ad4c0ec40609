package io.understudy.store;

import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Every schedule of a number of events, with every order of delivery in between, on members that follow the product's
 * rules. Worlds that differ in nothing that can matter are entered once.
 *
 * <p>Threads: one per object; it makes others while it runs.
 */
public final class Exploration {

    /** What a request, or the end of its session, does. */
    public enum Request {
        WRITE("write on"),
        REMOVE("remove on"),
        RENAME("rename on"),
        INVALIDATE("invalidate on"),
        EXPIRE("expire on"),
        /** A use that changes nothing. */
        USE("use on"),
        /** A response that gives the holder of a rival id the current one. */
        RETIRE("retire on");

        final String on;

        Request(String on) {
            this.on = on;
        }
    }

    /** A world to go on from, and how it came about. */
    record Begun(World world, List<Object> path) {}

    /** Worlds with this many events are shared out among the threads. */
    private static final int SHARED_FROM = 2;

    private final MemberRules rules;
    private final long[] skewMillis;
    private final int budget;
    private final Set<Request> kinds;
    private final int[][] orders;
    private final SeenStates seen;
    private final AtomicLong taken = new AtomicLong();

    /**
     * @param skewMillis how far each member's clock is off
     * @param budget events at most
     */
    Exploration(MemberRules rules, Set<Request> kinds, int budget, long... skewMillis) {
        this(rules, kinds, budget, new SeenStates(), skewMillis);
    }

    /** @param seen what other shares of the same schedules have met; grows */
    Exploration(MemberRules rules, Set<Request> kinds, int budget, SeenStates seen, long... skewMillis) {
        this.seen = seen;
        this.rules = rules;
        this.skewMillis = skewMillis.clone();
        this.kinds = kinds;
        this.orders = Arrays.stream(skewMillis).allMatch(skew -> skew == 0)
                ? orders(skewMillis.length)
                : first(skewMillis.length);
        this.budget = budget;
    }

    private static int[][] first(int size) {
        return new int[][] {IntStream.range(0, size).toArray()};
    }

    /** Members whose clocks agree can change places. */
    private static int[][] orders(int size) {
        return size == 2
                ? new int[][] {{0, 1}, {1, 0}}
                : new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    }

    /**
     * Enters every world.
     *
     * @return how many different ones there are
     * @throws AssertionError with the schedule that broke a law
     */
    long run() {
        return run(1);
    }

    /** The same by this many threads. */
    long run(int threads) {
        return run(threads, 0, 1);
    }

    /**
     * Enters the worlds of one share of the schedules. All shares together are all schedules; the first events are always the
     * same in the same order, and each share takes a part of what follows them.
     *
     * @param share from 0 to below {@code shares}
     * @return how many different ones were met, by other shares with the same {@link SeenStates} too
     */
    long run(int threads, int share, int shares) {
        Queue<Begun> begun = new ConcurrentLinkedQueue<>();
        SeenStates met = new SeenStates(); // The same for all shares, whatever was met before.
        Walk first = walk(begun, met);
        first.begin();
        taken.addAndGet(first.taken());
        seen.addAll(met);
        int size = begun.size();
        Queue<Begun> queue = begun.stream()
                .skip((long) size * share / shares)
                .limit((long) size * (share + 1) / shares - (long) size * share / shares)
                .collect(Collectors.toCollection(ConcurrentLinkedQueue::new));
        List<CompletableFuture<Void>> walks = Stream.generate(() -> walk(queue, seen))
                .limit(threads)
                .map(walk -> CompletableFuture.runAsync(walk::goOn, task -> new Thread(task, "walk").start())
                        .thenRun(() -> taken.addAndGet(walk.taken())))
                .toList();
        try {
            walks.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            queue.clear();
            if (e.getCause() instanceof AssertionError broken) {
                throw broken;
            }
            throw e;
        }
        return seen.size();
    }

    /** For a look at single worlds. */
    Walk walk() {
        return walk(new ConcurrentLinkedQueue<>(), seen);
    }

    private Walk walk(Queue<Begun> queue, SeenStates met) {
        return new Walk(new Steps(rules, skewMillis), kinds, budget, orders, met, queue, Math.min(SHARED_FROM, budget));
    }

    /** Steps from one world to the next. */
    long taken() {
        return taken.get();
    }
}
