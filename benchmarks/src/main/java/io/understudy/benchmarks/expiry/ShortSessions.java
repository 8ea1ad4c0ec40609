package io.understudy.benchmarks.expiry;

import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.member.Ended;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Sessions with a short idle time, used on any member often enough to live, and then left alone. A client uses one by
 * reading, which sends nothing but, later, its time.
 *
 * <p>Threads: the experiment's calls; a client each of its own.
 */
final class ShortSessions {

    private static final int IDLE_SECONDS = 4;
    private static final long IDLE_NANOS = IDLE_SECONDS * 1_000_000_000L;

    /** Between two uses at most: with the time an answer takes far below the idle time. */
    private static final int PAUSE_MILLIS = 2000;

    private static final int CLIENTS = 4;
    private static final long END_MILLIS = 30_000;

    /** Until an unused session has to be gone: idle time, two touch intervals, the members' looking, a slow machine. */
    private static final Duration GONE = Duration.ofSeconds(30);

    private static final class Used {
        private final String name;
        private long next;
        private volatile long lastBegan;

        Used(String name) {
            this.name = name;
        }
    }

    private final List<RemoteMember> members;
    private final List<Used> sessions = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder uses = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private volatile boolean stopping;

    /** So many sessions, made on the members in turn; their names begin with the prefix. */
    ShortSessions(List<RemoteMember> members, String prefix, int count) {
        this.members = members;
        for (int i = 0; i < count; i++) {
            sessions.add(new Used(prefix + i));
        }
    }

    ShortSessions start() {
        for (int client = 0; client < CLIENTS; client++) {
            int number = client;
            Thread thread = new Thread(() -> run(number), "short-" + client);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        return this;
    }

    private void run(int client) {
        Random random = new Random(client);
        List<Used> mine = new ArrayList<>();
        for (int i = client; i < sessions.size(); i += CLIENTS) {
            mine.add(sessions.get(i));
        }
        try {
            for (Used used : mine) {
                used.lastBegan = System.nanoTime();
                members.get(random.nextInt(members.size()))
                        .create(used.name, IDLE_SECONDS, Map.of(History.NAME, used.name));
            }
            while (!stopping) {
                for (Used used : mine) {
                    if (used.next <= System.nanoTime()) {
                        use(used, random);
                    }
                }
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** At another member if the first does not serve. */
    private void use(Used used, Random random) {
        long began = System.nanoTime();
        Result result =
                members.get(random.nextInt(members.size())).read(used.name).result();
        if (result == Result.OK) {
            used.lastBegan = began;
            used.next = began + random.nextInt(PAUSE_MILLIS) * 1_000_000L;
        }
        uses.increment();
        if (result == Result.MISSING && System.nanoTime() - used.lastBegan < IDLE_NANOS) {
            missing.increment();
        }
    }

    /** No more uses, from now on. */
    void end() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join(END_MILLIS);
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " got no answer within 30 s");
            }
        }
    }

    /**
     * Waits until all are gone; then what listeners were told about them.
     *
     * @return {@code short_uses}; {@code short_missing}: uses in time that found none; {@code short_early}: ends before
     *     the idle time was over; {@code short_ended}: sessions whose end was told; {@code short_late}: sessions that
     *     were there 30 s after their last use
     */
    Map<String, Number> ends() {
        Set<String> names = sessions.stream().map(used -> used.name).collect(Collectors.toSet());
        long late = 0;
        try {
            Await.until(
                    GONE,
                    () -> "there",
                    () -> members.stream()
                            .allMatch(
                                    member -> Collections.disjoint(member.dump().keySet(), names)));
        } catch (AssertionError e) {
            late = members.stream()
                    .flatMap(member -> member.dump().keySet().stream())
                    .filter(names::contains)
                    .distinct()
                    .count();
        }
        Map<String, Long> first = new HashMap<>();
        for (RemoteMember member : members) {
            for (Ended ended : member.ended()) {
                first.merge(ended.id(), ended.nanos(), Math::min);
            }
        }
        long early = sessions.stream()
                .filter(used -> first.getOrDefault(used.name, Long.MAX_VALUE) - used.lastBegan < IDLE_NANOS)
                .count();
        return Map.of(
                "short_uses", uses,
                "short_missing", missing,
                "short_early", early,
                "short_ended",
                        sessions.stream()
                                .filter(used -> first.containsKey(used.name))
                                .count(),
                "short_late", late);
    }
}
