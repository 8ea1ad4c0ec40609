package io.understudy.benchmarks.durability;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.load.Convergence;
import io.understudy.benchmarks.load.SessionLoad;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Promise;
import io.understudy.testkit.history.Verdict;
import io.understudy.testkit.history.Write.Outcome;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Acknowledged means kept: 3 coherent members under load, killed one at a time and started again; in the end every
 * acknowledged write is there or overwritten by a later one, on all members.
 */
public final class Kept {

    private static final Duration READY = Duration.ofSeconds(40);
    private static final int MEMBERS = 3;

    /** Degraded responses are expected that long after a fault. */
    private static final long EXCUSED_NANOS = 10_000_000_000L;

    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(8, 10, false, 5, 200, 4, 1);

    private Kept() {}

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 10 : 1;
        int kills = trial.whole() ? 10 : 5;
        Figures sum = trial.rounds("round", rounds, number -> round(trial, number, kills));
        trial.demand("SIGKILLs one at a time under load", "" + sum.get("kills"), sum.get("kills") == rounds * kills);
        trial.demand("0 acknowledged attributes missing", "" + sum.get("lost"), sum.get("lost") == 0);
        trial.demand(
                "0 sessions lost",
                sum.get("lost_sessions") + ", and " + sum.get("missed") + " requests that did not find theirs",
                sum.get("lost_sessions") + sum.get("missed") == 0);
        trial.demand(
                "any node answers the next request with it: 0 stale reads",
                "" + sum.get("stale"),
                sum.get("stale") == 0);
        trial.demand(
                "nothing resurrected, unexplained or unequal",
                sum.get("resurrected") + ", " + sum.get("unexplained") + ", " + sum.get("unequal"),
                sum.get("resurrected") + sum.get("unexplained") + sum.get("unequal") == 0);
        trial.floor(
                "0 degraded outside the 10 s after a fault",
                sum.get("degraded_outside") + " of " + sum.get("degraded") + " degraded, " + sum.get("acknowledged")
                        + " acknowledged",
                sum.get("degraded_outside") == 0);
    }

    private static Figures round(Trial trial, int round, int kills) throws Exception {
        Path directory = trial.results().resolve("kept-" + round);
        History history = new History();
        List<Long> faults = new ArrayList<>();
        try (RemoteCluster cluster = RemoteCluster.start(MEMBERS, directory, Map.of())) {
            List<RemoteMember> members = cluster.members();
            SessionLoad load = new SessionLoad(LOAD, "k" + round + "-", history, client -> members).start();
            load.awaitRequests(1000);
            for (int kill = 0; kill < kills; kill++) {
                RemoteMember victim = members.get(kill % MEMBERS);
                faults.add(System.nanoTime());
                victim.kill();
                // Started again before it is missed by the others, and after.
                Thread.sleep(kill % 2 == 0 ? 200 : 2500);
                victim.start();
                members.forEach(member -> member.awaitReady(READY));
                load.awaitRequests(300);
            }
            Thread.sleep(EXCUSED_NANOS / 1_000_000 + 1000);
            load.end();
            long equalAfter = Convergence.await(members);
            Verdict verdict = Convergence.judge(trial, members, history, Promise.ACKNOWLEDGED);
            Map<String, Long> figures = new HashMap<>();
            figures.put("kills", (long) faults.size());
            figures.put("requests", load.requests());
            figures.put("missed", load.missed());
            figures.put("acknowledged", history.count(Outcome.ACKNOWLEDGED));
            figures.put("degraded", history.count(Outcome.DEGRADED));
            figures.put("degraded_outside", outside(history.ends(Outcome.DEGRADED), faults));
            figures.put("not_equal_in_5_s", equalAfter < 0 ? 1L : 0L);
            figures.putAll(Convergence.figures(verdict));
            return Figures.of(figures);
        }
    }

    private static long outside(List<Long> times, List<Long> faults) {
        return times.stream()
                .filter(time -> faults.stream().noneMatch(fault -> time >= fault && time - fault <= EXCUSED_NANOS))
                .count();
    }
}
