package io.understudy.benchmarks.load;

import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Write;
import io.understudy.testkit.history.Write.Kind;
import io.understudy.testkit.history.Write.Outcome;
import io.understudy.testkit.member.Answer;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Clients that use sessions on any member, one request after the other, and record it in a {@link History}.
 *
 * <p>Threads: one per client, of its own.
 */
public final class SessionLoad {

    /** Idle time of the sessions, far above that of any experiment. */
    private static final int IDLE_SECONDS = 3600;

    /** Time without an answer after which the members are looked at as stuck, in milliseconds. */
    private static final long END_MILLIS = 30_000;

    /**
     * What the clients do.
     *
     * @param clients at once
     * @param sessions of each client, used by it alone, or of all, used by any
     * @param shared whether any client uses any session, on several members at once
     * @param attributes of each session
     * @param bytes of each value
     * @param thinkMillis between two requests of a client
     * @param endings of 100 requests end their session
     */
    public record Shape(
            int clients, int sessions, boolean shared, int attributes, int bytes, int thinkMillis, int endings) {}

    /** Gets how long each request took. */
    @FunctionalInterface
    public interface Watch {
        /** A request was answered; times by {@link System#nanoTime}. */
        void answered(int client, long began, long ended);
    }

    private final Shape shape;
    /** Within it members that are well have answered what is waited for, on a busy machine too. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final History history;
    private final IntFunction<List<RemoteMember>> servers;
    private final String prefix;
    private final List<Thread> threads = new ArrayList<>();
    private final List<UsedSession> common;
    private final LongAdder requests = new LongAdder();
    private final LongAdder missed = new LongAdder();
    private volatile long periodNanos;
    private volatile Watch watch = (client, began, ended) -> {};
    private volatile boolean stopping;

    /**
     * Clients that are not started.
     *
     * @param prefix of the sessions' names
     * @param servers the members a client may use now, by its number
     */
    public SessionLoad(Shape shape, String prefix, History history, IntFunction<List<RemoteMember>> servers) {
        this(shape, prefix, history, servers, new CopyOnWriteArrayList<>());
    }

    private SessionLoad(
            Shape shape,
            String prefix,
            History history,
            IntFunction<List<RemoteMember>> servers,
            List<UsedSession> common) {
        this.common = common;
        this.shape = shape;
        this.prefix = prefix;
        this.history = history;
        this.servers = servers;
    }

    public SessionLoad start() {
        for (int client = 0; client < shape.clients(); client++) {
            int number = client;
            Thread thread = new Thread(() -> run(number), "client-" + client);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        return this;
    }

    /** More clients of the same kind, that go on with the shared sessions of these. */
    public SessionLoad next(String nextPrefix, IntFunction<List<RemoteMember>> nextServers) {
        return new SessionLoad(shape, nextPrefix, history, nextServers, common);
    }

    public SessionLoad watchedBy(Watch watch) {
        this.watch = watch;
        return this;
    }

    /**
     * From now on clients do not think, but ask so often, all together; one that is late makes up for it. The
     * {@link Watch} gets when each request was due, so that waiting for an earlier one counts.
     */
    public SessionLoad atRate(double perSecond) {
        periodNanos = Math.round(shape.clients() * 1e9 / perSecond);
        return this;
    }

    /** Requests answered so far. */
    public long requests() {
        return requests.sum();
    }

    /** Waits until so many more requests were answered: until then the members are not under load. */
    public void awaitRequests(long more) {
        long enough = requests() + more;
        Await.until(LIMIT, () -> requests() + " requests, of " + enough, () -> requests() >= enough);
    }

    /** Requests for sessions that had been acknowledged, and nobody had ended, answered by "no such session". */
    public long missed() {
        return missed.sum();
    }

    private void run(int client) {
        Random random = new Random(client * 7919L + prefix.hashCode());
        List<UsedSession> mine = shape.shared() ? common : new ArrayList<>();
        int number = 0;
        long due = 0;
        try {
            while (!stopping) {
                long period = periodNanos;
                due = period == 0 || due == 0 ? System.nanoTime() : due + period;
                awaitDue(due);
                List<RemoteMember> members = servers.apply(client);
                RemoteMember member = members.get(random.nextInt(members.size()));
                long began = System.nanoTime();
                Result result;
                if (mine.size() < shape.sessions()) {
                    UsedSession used = new UsedSession(prefix + client + "-" + number++);
                    result = create(member, used);
                    if (result != Result.UNAVAILABLE) {
                        mine.add(used);
                    }
                } else {
                    UsedSession used = any(mine, random);
                    result = use(members, member, used, random);
                    if (used.ended() && random.nextInt(shape.shared() ? 10 : 1) == 0) {
                        mine.remove(used);
                    }
                }
                requests.increment();
                watch.answered(client, period == 0 ? began : due, System.nanoTime());
                if (period == 0 || result == Result.UNAVAILABLE) {
                    Thread.sleep(result == Result.UNAVAILABLE ? 50 : shape.thinkMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IllegalStateException("client " + client + " has no member or session to use", e);
        }
    }

    private static void awaitDue(long due) throws InterruptedException {
        long left = due - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    /** Others may remove at the same time. */
    private static UsedSession any(List<UsedSession> sessions, Random random) {
        List<UsedSession> now = List.copyOf(sessions);
        return now.isEmpty() ? new UsedSession("none") : now.get(random.nextInt(now.size()));
    }

    private Result create(RemoteMember member, UsedSession used) {
        long began = System.nanoTime();
        Result result = member.create(used.name(), IDLE_SECONDS, Map.of(History.NAME, used.name()));
        record(used, "", Kind.CREATE, history.number(), member, result, began, true);
        used.made(result == Result.ACKNOWLEDGED);
        return result;
    }

    private Result use(List<RemoteMember> members, RemoteMember member, UsedSession used, Random random) {
        String attribute = "a" + random.nextInt(shape.attributes());
        int what = random.nextInt(100);
        long began = System.nanoTime();
        long number = history.number();
        Result result;
        if (what < 75) {
            Kind kind = what < 70 ? Kind.SET : Kind.REMOVE;
            String value = kind == Kind.SET ? History.value(number, shape.bytes()) : "";
            int turn = used.begin(member);
            result = member.write(used.name(), Map.of(attribute, value));
            record(used, attribute, kind, number, member, result, began, used.end(member, turn));
        } else if (what < 75 + shape.endings() && used.mayEnd(members)) {
            return end(members, member, used, number, random);
        } else {
            int turn = used.begin(member);
            Answer answer = member.read(used.name());
            var unused = used.end(member, turn);
            result = answer.result();
            if (result == Result.OK && !shape.shared()) {
                Map<String, String> seen = answer.pairs();
                IntStream.range(0, shape.attributes())
                        .forEach(i -> history.read(used.name(), "a" + i, seen.get("a" + i), member.name(), began));
            }
        }
        if (result == Result.MISSING && used.isThere()) {
            missed.increment();
        }
        return result;
    }

    /** Then once more, where it must not be told again; others go on with a shared session for a while. */
    private Result end(List<RemoteMember> members, RemoteMember member, UsedSession used, long number, Random random) {
        long began = System.nanoTime();
        Result result = member.invalidate(used.name());
        record(used, "", Kind.INVALIDATE, number, member, result, began, true);
        if (shape.shared()) {
            // If the first was dead, or not ready, it is this one that ends it.
            RemoteMember second = members.get(random.nextInt(members.size()));
            long again = System.nanoTime();
            Result seconds = second.invalidate(used.name());
            record(used, "", Kind.INVALIDATE, history.number(), second, seconds, again, true);
        }
        return result;
    }

    /** @param alone whether no other request used the session on this member meanwhile */
    private void record(
            UsedSession used,
            String attribute,
            Kind kind,
            long number,
            RemoteMember member,
            Result result,
            long began,
            boolean alone) {
        boolean nothing = result == Result.UNCHANGED && kind == Kind.REMOVE && alone;
        if (nothing || result == Result.MISSING || result == Result.UNAVAILABLE) {
            return;
        }
        Outcome outcome = switch (result) {
            case ACKNOWLEDGED -> Outcome.ACKNOWLEDGED;
            case UNKNOWN -> Outcome.UNKNOWN;
            // Beside others, their commit may have taken a change along. An end may be left to another member,
            // or its heir. But nobody can have sent the value of a request that is alone.
            case UNCHANGED -> kind == Kind.SET && alone && !used.ended() ? Outcome.ACKNOWLEDGED : Outcome.UNKNOWN;
            default -> Outcome.DEGRADED;
        };
        history.add(new Write(number, used.name(), attribute, kind, member.name(), outcome, began, System.nanoTime()));
    }

    /**
     * Lets the clients finish the request they are at.
     *
     * @throws IllegalStateException if one does not within 30 s
     */
    public void end() throws InterruptedException {
        stopping = true;
        long end = System.nanoTime() + END_MILLIS * 1_000_000;
        for (Thread thread : threads) {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " got no answer within 30 s");
            }
        }
    }
}
