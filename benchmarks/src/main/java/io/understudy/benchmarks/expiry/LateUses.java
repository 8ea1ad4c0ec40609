package io.understudy.benchmarks.expiry;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.member.Ended;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Sessions that were last used on one member are used on another 100 ms before the first one's timer ends them. The use
 * finds its session, and the session lives for its whole idle time from then on.
 *
 * <p>A use counts if it was answered before the timer, whatever the machine did.
 */
final class LateUses {

    private static final int IDLE_SECONDS = 2;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(IDLE_SECONDS);

    /** The owner waits for two touch intervals more. */
    private static final long TIMER_NANOS = IDLE_NANOS + 2 * TimeUnit.MILLISECONDS.toNanos(500);

    private static final long BEFORE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int CLIENTS = 16;
    private static final int AT_ONCE = 500;

    /** Of the uses of a batch so many may be too late on a machine that is busy; another batch makes up for them. */
    private static final int MOST_BATCHES = 3;

    private static final Duration GONE = Duration.ofSeconds(60);

    /** One try: when the session was made, when it was used, and what came of it. */
    private static final class Try {
        private final String id;
        private long made;
        private long used;
        private boolean inTime;
        private boolean found;

        Try(String id) {
            this.id = id;
        }
    }

    private LateUses() {}

    static void run(Trial trial) throws Exception {
        int tries = trial.whole() ? 10_000 : 500;
        Figures sum = Figures.of(Map.of());
        int batches = MOST_BATCHES * tries / AT_ONCE;
        for (int batch = 1; batch <= batches && (batch == 1 || sum.get("tries") < tries); batch++) {
            int number = batch;
            sum = sum.plus(trial.round("late uses " + batch, () -> round(trial, number)));
        }
        trial.demand(
                "used on B 100 ms before A's timer",
                sum.get("tries") + " times, " + sum.get("too_late") + " more were too late",
                sum.get("tries") >= tries);
        trial.demand(
                "not expired",
                sum.get("not_found") + " did not find it, " + sum.get("early")
                        + " were told of before the idle time was over again",
                sum.get("not_found") + sum.get("early") == 0);
        trial.demand(
                "each destroyed exactly once in the end",
                sum.get("told_told") + " told, " + sum.get("told_twice") + " more than once",
                sum.get("told_told") == sum.get("made") && sum.get("told_twice") == 0);
    }

    private static Figures round(Trial trial, int batch) throws Exception {
        Path directory = trial.results().resolve("late-uses");
        try (RemoteCluster cluster = RemoteCluster.start(2, directory, Map.of("touchInterval", "500ms"))) {
            List<RemoteMember> members = cluster.members();
            List<Try> tries = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                tries.add(new Try("u" + batch + "-" + i));
            }
            warm(members);
            all(members, tries);
            return figures(members, tries);
        }
    }

    private static void warm(List<RemoteMember> members) {
        for (int i = 0; i < AT_ONCE; i++) {
            members.get(0).create("warm-" + i, IDLE_SECONDS, Map.of("a", "b"));
            members.get(1).read("warm-" + i);
        }
    }

    /** Each client makes its share of the sessions, then uses one after the other when it is time. */
    private static void all(List<RemoteMember> members, List<Try> tries) {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                List<Try> mine = new ArrayList<>();
                for (int i = client; i < tries.size(); i += CLIENTS) {
                    mine.add(tries.get(i));
                }
                clients.add(CompletableFuture.runAsync(() -> tries(members, mine), threads));
            }
            clients.forEach(CompletableFuture::join);
        } finally {
            threads.shutdown();
        }
    }

    private static void tries(List<RemoteMember> members, List<Try> mine) {
        try {
            for (Try each : mine) {
                each.made = System.nanoTime();
                members.get(0).create(each.id, IDLE_SECONDS, Map.of("a", "b"));
            }
            for (Try each : mine) {
                long timer = each.made + TIMER_NANOS;
                TimeUnit.NANOSECONDS.sleep(timer - BEFORE_NANOS - System.nanoTime());
                each.used = System.nanoTime();
                each.found = members.get(1).read(each.id).result() == Result.OK;
                each.inTime = System.nanoTime() < timer;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sessions that expire are hidden before their listeners have run. */
    private static long told(List<RemoteMember> members, Set<String> ids) {
        return members.stream()
                .flatMap(member -> member.ended().stream())
                .map(Ended::id)
                .filter(ids::contains)
                .distinct()
                .count();
    }

    private static Figures figures(List<RemoteMember> members, List<Try> tries) {
        Set<String> ids = tries.stream().map(each -> each.id).collect(Collectors.toSet());
        Await.until(
                GONE,
                () -> "sessions that nobody uses are there, or nobody was told of their end",
                () -> members.stream()
                                .noneMatch(member ->
                                        member.dump().keySet().stream().anyMatch(ids::contains))
                        && told(members, ids) == tries.size());
        Map<String, Long> first = new HashMap<>();
        for (RemoteMember member : members) {
            for (Ended ended : member.ended()) {
                first.merge(ended.id(), ended.nanos(), Math::min);
            }
        }
        List<Try> inTime = tries.stream().filter(each -> each.inTime).toList();
        Map<String, Number> figures = new HashMap<>();
        figures.put("made", tries.size());
        figures.put("tries", inTime.size());
        figures.put("too_late", tries.size() - inTime.size());
        figures.put("not_found", inTime.stream().filter(each -> !each.found).count());
        figures.put(
                "early",
                inTime.stream()
                        .filter(each -> first.getOrDefault(each.id, Long.MAX_VALUE) - each.used < IDLE_NANOS)
                        .count());
        Told.of(members, ids).figures("told", figures);
        return Figures.of(figures);
    }
}
