package io.understudy.benchmarks.durability;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import io.understudy.testkit.member.RiskGauge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The session lock: 10 clients count one session up through 2 of 3 members. Without faults not one increment is lost;
 * with the lock's home and its holder killed, no acknowledged one.
 */
public final class Lock {

    private static final Duration READY = Duration.ofSeconds(40);
    private static final Duration EQUAL = Duration.ofSeconds(10);
    private static final int MEMBERS = 3;
    private static final int CLIENTS = 10;
    private static final int INCREMENTS = 1000;

    /** A member that is killed for holding the lock may have released it just then, and is not counted. */
    private static final int TRIES = 20;

    private Lock() {}

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 10 : 1;
        int kills = trial.whole() ? 10 : 3;
        Figures calm = Figures.of(Map.of());
        Figures killed = Figures.of(Map.of());
        for (int i = 1; i <= rounds; i++) {
            int round = i;
            calm = calm.plus(trial.round("calm " + i, () -> round(trial, round, 0)));
            killed = killed.plus(trial.round("killed " + i, () -> round(trial, round, kills)));
        }
        trial.demand(
                "1,000 increments by 10 clients through 2 members are exactly 1,000",
                calm.get("counted") + " in " + rounds + " round(s), on each member",
                calm.get("counted") == (double) rounds * INCREMENTS
                        && calm.get("acknowledged") == (double) rounds * INCREMENTS
                        && calm.get("unequal") == 0);
        trial.demand(
                "SIGKILLs of the lock's home, and of its holder, each",
                killed.get("homes") + " and " + killed.get("holders"),
                killed.get("homes") == rounds * kills && killed.get("holders") == rounds * kills);
        trial.demand(
                "acknowledged increments are all there, at least 1,000 a round",
                killed.get("acknowledged") + " acknowledged, " + killed.get("counted") + " counted",
                killed.get("acknowledged") >= (double) rounds * INCREMENTS && killed.get("missing") == 0);
        trial.demand(
                "at most one unacknowledged increment of each client for each kill, none counted that was not made",
                killed.get("more_than_one") + " round(s) with more; " + killed.get("unacknowledged") + " with "
                        + killed.get("kills") + " kills, " + killed.get("above") + " not made",
                killed.get("above") + killed.get("more_than_one") + calm.get("unacknowledged") == 0);
        trial.demand(
                "all members equal, and the session always found",
                killed.get("unequal") + " unequal, " + killed.get("lost") + " not found",
                killed.get("unequal") + killed.get("lost") + calm.get("lost") == 0);
    }

    private static Figures round(Trial trial, int round, int kills) throws Exception {
        Path directory = trial.results().resolve("lock-" + round + (kills == 0 ? "-calm" : ""));
        Map<String, Long> figures = new HashMap<>(Map.of("kills", 0L, "homes", 0L, "holders", 0L));
        try (RemoteCluster cluster =
                RemoteCluster.start(MEMBERS, directory, Map.of("sessionLock", "on", "lockTimeout", "30s"))) {
            List<RemoteMember> members = cluster.members();
            members.get(0).create(Counting.ID, 3600, Map.of(Counting.ATTRIBUTE, "0"));
            int each = INCREMENTS / CLIENTS;
            try (Counting counting = new Counting(members.subList(0, 2), CLIENTS, kills == 0 ? each : 1 << 20)) {
                for (int i = 0; i < kills; i++) {
                    killHome(members, counting, figures);
                    killHolder(members, counting, figures);
                }
                if (kills == 0) {
                    counting.await();
                } else {
                    Await.until(
                            READY,
                            () -> counting.count(Result.ACKNOWLEDGED) + " acknowledged",
                            () -> counting.count(Result.ACKNOWLEDGED) >= INCREMENTS);
                }
                counting.finish();
                judge(members, counting, figures);
            }
            return Figures.of(figures);
        }
    }

    private static void judge(List<RemoteMember> members, Counting counting, Map<String, Long> figures) {
        List<RemoteMember> all = members;
        boolean equal = true;
        try {
            Await.until(
                    EQUAL,
                    () -> counts(all).toString(),
                    () -> counts(all).stream().distinct().count() == 1);
        } catch (AssertionError e) {
            System.err.println("not equal: " + e.getMessage());
            equal = false;
        }
        long counted = counts(members).stream().mapToLong(Long::longValue).min().orElseThrow();
        long acknowledged = counting.count(Result.ACKNOWLEDGED);
        figures.put("unequal", equal ? 0L : 1L);
        figures.put("counted", counted);
        figures.put("acknowledged", acknowledged);
        figures.put("unacknowledged", counting.unacknowledged());
        figures.put("more_than_one", counting.mostUnacknowledged() > 1 ? 1L : 0L);
        figures.put("missing", Math.max(0, acknowledged - counted));
        figures.put("above", Math.max(0, counted - acknowledged - counting.unacknowledged()));
        figures.put("lost", counting.count(Result.MISSING));
        figures.put("refused", counting.count(Result.UNAVAILABLE));
    }

    private static List<Long> counts(List<RemoteMember> members) {
        return members.stream()
                .map(member -> Long.parseLong(
                        member.dump().getOrDefault(Counting.ID, Map.of()).getOrDefault(Counting.ATTRIBUTE, "-1")))
                .toList();
    }

    private static void killHome(List<RemoteMember> members, Counting counting, Map<String, Long> figures)
            throws Exception {
        long end = System.nanoTime() + READY.toNanos();
        while (System.nanoTime() < end) {
            for (RemoteMember member : members) {
                if (member.figure("locks_at_home") > 0) {
                    counting.fault();
                    member.kill();
                    killed(member, members, figures);
                    figures.merge("homes", 1L, Long::sum);
                    return;
                }
            }
        }
        throw new IllegalStateException("no member was the home of a lock within " + READY);
    }

    private static void killHolder(List<RemoteMember> members, Counting counting, Map<String, Long> figures)
            throws Exception {
        for (int i = 0; i < TRIES; i++) {
            RemoteMember holder = holder(members);
            RiskGauge gauge = holder.risk();
            counting.fault();
            holder.kill();
            boolean held = gauge.locked();
            killed(holder, members, figures);
            if (held) {
                figures.merge("holders", 1L, Long::sum);
                return;
            }
        }
        throw new IllegalStateException("none of " + TRIES + " members that were killed held the lock");
    }

    private static RemoteMember holder(List<RemoteMember> members) throws IOException {
        List<RiskGauge> gauges = List.of(members.get(0).risk(), members.get(1).risk());
        long end = System.nanoTime() + READY.toNanos();
        while (System.nanoTime() < end) {
            for (int i = 0; i < gauges.size(); i++) {
                if (gauges.get(i).locked()) {
                    return members.get(i);
                }
            }
            Thread.onSpinWait();
        }
        throw new IllegalStateException("no member held the lock within " + READY);
    }

    /** Lets the others go on for a while, and starts it again. */
    private static void killed(RemoteMember victim, List<RemoteMember> members, Map<String, Long> figures)
            throws Exception {
        long kill = figures.merge("kills", 1L, Long::sum);
        // Started again before it is missed by the others, and after.
        Thread.sleep(kill % 2 == 0 ? 200 : 2500);
        victim.start();
        members.forEach(member -> member.awaitReady(READY));
        Thread.sleep(300);
    }
}
