package io.understudy.testkit.member;

import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Write;
import io.understudy.testkit.history.Write.Kind;
import io.understudy.testkit.history.Write.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Clients that write and read without an end, each a session of its own, each write on another member than the one before, and
 * each read on another one than its write. They pause between, so that members on a small machine are not at their limit.
 *
 * <p>Threads: one for each client; the methods are for one.
 */
public final class SteadyWrites implements AutoCloseable {

    private static final long PAUSE_NANOS = 4_000_000;
    private static final Duration LIMIT = Await.LIMIT;

    /** Characters of values: most changes fit into one packet, a few need many, and a few no datagram holds. */
    private static final int[] LENGTHS = {200, 200, 200, 200, 5_000, 200, 200, 200, 200, 30_000};

    /** How long a write took, in nanoseconds. */
    private record Timed(long began, long took) {}

    private final String name;
    private final List<RemoteMember> members;
    private final History history;
    private final Queue<Timed> times = new ConcurrentLinkedQueue<>();
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean ended;

    private SteadyWrites(String name, List<RemoteMember> members, History history) {
        this.name = name;
        this.members = List.copyOf(members);
        this.history = history;
    }

    /** @param name with which their sessions' names begin */
    public static SteadyWrites start(String name, int clients, List<RemoteMember> members, History history) {
        SteadyWrites load = new SteadyWrites(name, members, history);
        for (int i = 0; i < clients; i++) {
            int client = i;
            Thread thread = new Thread(() -> load.run(client), "client-" + client);
            thread.setDaemon(true);
            load.clients.add(thread);
            thread.start();
        }
        return load;
    }

    private void run(int client) {
        String session = name + client;
        write(members.get(client % members.size()), session, true, 0);
        for (int i = 1; !ended; i++) {
            write(members.get((client + i) % members.size()), session, false, i);
            read(members.get((client + i + 1) % members.size()), session);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void write(RemoteMember member, String session, boolean create, int turn) {
        long number = history.number();
        String value = History.value(number, LENGTHS[turn % LENGTHS.length]);
        long began = System.nanoTime();
        Result result = create
                ? member.create(session, 1800, Map.of(History.NAME, session, "v", value))
                : member.write(session, Map.of("v", value));
        long now = System.nanoTime();
        times.add(new Timed(began, now - began));
        Outcome outcome = result == Result.ACKNOWLEDGED
                ? Outcome.ACKNOWLEDGED
                : result == Result.DEGRADED ? Outcome.DEGRADED : Outcome.UNKNOWN;
        if (outcome == Outcome.UNKNOWN) {
            refused.add(member.name() + ": " + result);
        }
        if (create) {
            history.add(new Write(number, session, "", Kind.CREATE, member.name(), outcome, began, now));
        }
        history.add(new Write(number, session, "v", Kind.SET, member.name(), outcome, began, now));
    }

    private void read(RemoteMember member, String session) {
        long began = System.nanoTime();
        Answer answer = member.read(session);
        if (answer.result() == Result.OK) {
            history.read(session, "v", answer.pairs().get("v"), member.name(), began);
        } else {
            refused.add(member.name() + ": " + answer.result());
        }
    }

    /** Waits until so many more writes were answered. */
    public void await(int more) {
        int until = times.size() + more;
        Await.until(LIMIT, () -> times.size() + " of " + until + " writes, " + refused, () -> times.size() >= until);
    }

    /** Waits until the time is over, in which the clients go on. */
    public void goOn(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        Await.until(time.plus(LIMIT), () -> "", () -> System.nanoTime() > end);
    }

    /** Which share of the writes that began then took how long at most, in microseconds. */
    public long quantile(double share, Predicate<Long> began) {
        long[] sorted = times.stream()
                .filter(each -> began.test(each.began()))
                .mapToLong(Timed::took)
                .sorted()
                .toArray();
        return sorted.length == 0 ? -1 : sorted[(int) (share * (sorted.length - 1))] / 1000;
    }

    public int writes() {
        return times.size();
    }

    /** Requests that were neither acknowledged nor degraded, and the members that refused them. */
    public List<String> refused() {
        return List.copyOf(refused);
    }

    /** Ends the clients, and waits for them. */
    @Override
    public void close() {
        ended = true;
        Await.until(LIMIT, clients::toString, () -> clients.stream().noneMatch(Thread::isAlive));
    }
}
