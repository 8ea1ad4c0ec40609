package io.understudy.benchmarks.durability;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.load.Convergence;
import io.understudy.benchmarks.load.SessionLoad;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Promise;
import io.understudy.testkit.history.Verdict;
import io.understudy.testkit.history.Write.Outcome;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two coherent members under load at the first: the second is frozen, the first goes on writing and is killed, the
 * second is thawed and is all that is left. Only what was answered as degraded may be missing.
 */
public final class FrozenWrites {

    private static final Duration READY = Duration.ofSeconds(40);
    /** When the first is killed, at the earliest: before the frozen member has left the view, and after. */
    private static final List<Long> FROZEN_MILLIS = List.of(300L, 1500L, 3000L, 5500L, 9000L);

    /** In a small run: one of each. */
    private static final List<Long> SMALL_FROZEN_MILLIS = List.of(1500L, 5500L);

    /** In rounds as long as this the first is killed when it answers without the frozen member, however late. */
    private static final long ALONE_MILLIS = 5500;

    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(8, 10, false, 5, 200, 3, 1);

    private FrozenWrites() {}

    public static void run(Trial trial) throws Exception {
        List<Long> millis = trial.whole() ? FROZEN_MILLIS : SMALL_FROZEN_MILLIS;
        int rounds = trial.whole() ? 100 : millis.size();
        Figures sum = trial.rounds("round", rounds, number -> round(trial, number, millis.get(number % millis.size())));
        trial.demand("SIGSTOP, writes, SIGKILL, SIGCONT", "" + sum.get("rounds"), sum.get("rounds") == rounds);
        trial.demand(
                "0 acknowledged writes missing",
                sum.get("lost") + " attributes, " + sum.get("lost_sessions") + " sessions, " + sum.get("resurrected")
                        + " ends, of " + sum.get("acknowledged") + " acknowledged",
                sum.get("lost") + sum.get("lost_sessions") + sum.get("resurrected") == 0);
        trial.demand(
                "degraded writes were made, and counted apart",
                sum.get("degraded") + ", of which " + sum.get("lost_unpromised") + " attributes are missing",
                sum.get("degraded") > 0);
        trial.demand("nothing unexplained", "" + sum.get("unexplained"), sum.get("unexplained") == 0);
    }

    private static Figures round(Trial trial, int round, long frozenMillis) throws Exception {
        Path directory = trial.results().resolve("frozen-writes");
        History history = new History();
        try (RemoteCluster cluster = RemoteCluster.start(2, directory, Map.of())) {
            RemoteMember first = cluster.member(0);
            RemoteMember second = cluster.member(1);
            SessionLoad load = new SessionLoad(LOAD, "f" + round + "-", history, client -> List.of(first)).start();
            load.awaitRequests(1000);
            second.jvm().freeze();
            Thread.sleep(frozenMillis);
            if (frozenMillis >= ALONE_MILLIS) {
                Await.that("a write is degraded", () -> history.count(Outcome.DEGRADED) > 0);
            }
            first.kill();
            second.jvm().thaw();
            load.end();
            second.awaitReady(READY);
            Verdict verdict = Convergence.judge(trial, List.of(second), history, Promise.ACKNOWLEDGED);
            Map<String, Long> figures = new HashMap<>(Convergence.figures(verdict));
            figures.put("rounds", 1L);
            figures.put("acknowledged", history.count(Outcome.ACKNOWLEDGED));
            figures.put("degraded", history.count(Outcome.DEGRADED));
            figures.put("unknown", history.count(Outcome.UNKNOWN));
            return Figures.of(figures);
        }
    }
}
