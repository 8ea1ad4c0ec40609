package io.understudy.benchmarks.durability;

import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients that count one attribute of one session up, each through two members in turn.
 *
 * <p>Threads: one per client, of its own.
 */
final class Counting implements AutoCloseable {

    static final String ID = "counted";
    static final String ATTRIBUTE = "count";

    /** How long an increment takes from reading to writing, in milliseconds. */
    private static final long WORK_MILLIS = 2;

    /** Time without an answer after which a client is looked at as stuck, in milliseconds. */
    private static final long END_MILLIS = 90_000;

    private final List<RemoteMember> members;
    private final int limit;
    private final Map<Result, LongAdder> results = new EnumMap<>(Result.class);
    private final List<Thread> threads = new ArrayList<>();

    /** Increments that may have been made or not, by client and the faults there had been. */
    private final Map<List<Integer>, LongAdder> open = new ConcurrentHashMap<>();

    private final AtomicInteger faults = new AtomicInteger();
    private volatile boolean stopping;

    /**
     * Starts the clients.
     *
     * @param limit each stops after so many acknowledged increments
     */
    Counting(List<RemoteMember> members, int clients, int limit) {
        this.members = List.copyOf(members);
        this.limit = limit;
        for (Result result : Result.values()) {
            results.put(result, new LongAdder());
        }
        for (int i = 0; i < clients; i++) {
            int client = i;
            Thread thread = new Thread(() -> run(client), "client-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(int client) {
        try {
            int acknowledged = 0;
            for (int n = client; acknowledged < limit && !stopping; n++) {
                Result result = members.get(n % members.size()).increment(ID, ATTRIBUTE, WORK_MILLIS);
                results.getOrDefault(result, new LongAdder()).increment();
                if (result == Result.ACKNOWLEDGED) {
                    acknowledged++;
                } else if (result == Result.UNAVAILABLE) {
                    Thread.sleep(50);
                } else if (result != Result.MISSING) {
                    open.computeIfAbsent(List.of(client, faults.get()), key -> new LongAdder())
                            .increment();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long count(Result result) {
        return results.getOrDefault(result, new LongAdder()).sum();
    }

    /** Increments that may have been made or not. */
    long unacknowledged() {
        return count(Result.UNKNOWN) + count(Result.DEGRADED) + count(Result.SENT);
    }

    /** A fault is about to be made. */
    void fault() {
        faults.incrementAndGet();
    }

    /** The most of those that one client had between one fault and the next. */
    long mostUnacknowledged() {
        return open.values().stream().mapToLong(LongAdder::sum).max().orElse(0);
    }

    /** Lets the clients go on to their limit. */
    void await() throws InterruptedException {
        long end = System.nanoTime() + END_MILLIS * 1_000_000;
        for (Thread thread : threads) {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " did not end within 90 s: " + results);
            }
        }
    }

    /** Lets the clients finish the request they are at, and waits for that. */
    void finish() throws InterruptedException {
        stopping = true;
        await();
    }

    /** Lets the clients end; does not wait for them. */
    @Override
    public void close() {
        stopping = true;
    }
}
