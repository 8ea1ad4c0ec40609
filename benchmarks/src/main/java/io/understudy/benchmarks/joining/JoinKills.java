package io.understudy.benchmarks.joining;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.load.Convergence;
import io.understudy.benchmarks.load.SessionLoad;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Promise;
import io.understudy.testkit.history.Verdict;
import io.understudy.testkit.history.Write.Outcome;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.netns.Network;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Three members in turn: one joins two that hold many sessions, and to which clients write. While it pulls from the
 * first member of the view, that member is killed, and joins next. Each joiner must have everything in the end: the
 * sessions that were there, and all writes that clients know to be acknowledged.
 */
final class JoinKills {

    private static final Duration READY = Duration.ofMinutes(2);
    private static final int MEMBERS = 3;
    /** When the provider is killed: with so many percent of the sessions pulled, in turn. */
    private static final List<Integer> MIDWAY = List.of(40, 10, 60, 25, 50);

    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(4, 20, false, 5, 500, 5, 1);

    private final Trial trial;
    private final List<RemoteMember> members;
    private final History history = new History();
    private final int sessions;

    private JoinKills(Trial trial, List<RemoteMember> members) {
        this.trial = trial;
        this.members = members;
        this.sessions = Join.sessions(trial);
    }

    static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 4 : 1;
        int kills = 5;
        Figures sum = trial.rounds("kills", rounds, number -> round(trial, number, kills));
        trial.demand(
                "joins with the provider SIGKILLed midway",
                sum.get("midway") + ", with " + Math.rint(sum.get("percent") / Math.max(1, sum.get("midway")))
                        + " % of the sessions pulled on average",
                sum.get("midway") >= rounds * kills);
        trial.demand(
                "complete every time: all sessions that were there, with their content",
                sum.get("missing") + " missing, " + sum.get("wrong") + " wrong, in " + sum.get("joins") + " joins",
                sum.get("missing") + sum.get("wrong") == 0);
        trial.demand(
                "complete every time: every acknowledged write",
                sum.get("lost") + " attributes, " + sum.get("lost_sessions") + " sessions of " + sum.get("acknowledged")
                        + " acknowledged; degraded " + sum.get("degraded"),
                sum.get("lost") + sum.get("lost_sessions") == 0 && sum.get("acknowledged") > 0);
        trial.demand(
                "nothing resurrected, unexplained or unequal",
                sum.get("resurrected") + ", " + sum.get("unexplained") + ", " + sum.get("unequal"),
                sum.get("resurrected") + sum.get("unexplained") + sum.get("unequal") == 0);
    }

    private static Figures round(Trial trial, int round, int kills) throws Exception {
        Path directory = trial.results().resolve("join-kills");
        List<RemoteMember> members = new ArrayList<>();
        try (Network network = Network.of(MEMBERS)) {
            for (int index = 0; index < MEMBERS; index++) {
                members.add(new RemoteMember(network, index, directory, Map.of(), Join.roomy(trial)));
            }
            for (RemoteMember member : members.subList(0, 2)) {
                member.start(); // One after the other: the first is the first of the view.
                member.awaitReady(READY);
            }
            members.get(0).fill(0, Join.sessions(trial), Join.IDLE_SECONDS, Join.BYTES, Join.FILL_THREADS);
            Figures sum = Figures.of(Map.of());
            JoinKills joins = new JoinKills(trial, members);
            int midway = 0;
            for (int join = 0; midway < kills && join < 2 * kills; join++) {
                Figures figures = joins.join("x" + round + "-" + join + "-", join);
                midway += (int) figures.get("midway");
                sum = sum.plus(figures);
            }
            return sum.plus(Figures.of(Map.of(
                    "acknowledged", joins.history.count(Outcome.ACKNOWLEDGED),
                    "degraded", joins.history.count(Outcome.DEGRADED))));
        } finally {
            members.forEach(RemoteMember::close);
        }
    }

    private Figures join(String name, int join) throws Exception {
        RemoteMember provider = members.get(join % MEMBERS);
        RemoteMember other = members.get((join + 1) % MEMBERS);
        RemoteMember joiner = members.get((join + 2) % MEMBERS);
        SessionLoad load = new SessionLoad(LOAD, name, history, client -> List.of(other)).start();
        load.awaitRequests(500);
        joiner.start();
        Await.until(READY, joiner::readiness, () -> percent(joiner) >= MIDWAY.get(join % MIDWAY.size()));
        boolean ready = joiner.ready();
        long percent = percent(joiner);
        provider.kill();
        boolean midway = !ready && percent < 100;
        joiner.awaitReady(READY);
        load.awaitRequests(100);
        load.end();
        List<RemoteMember> left = List.of(other, joiner);
        long equalAfter = Convergence.await(left);
        long[] found = joiner.check(0, sessions, Join.BYTES);
        trial.say("provider killed with " + percent + " % pulled" + (midway ? "" : ", too late") + "; equal after "
                + equalAfter + " ms, " + found[0] + " missing");
        Verdict verdict = Convergence.judge(trial, left, history, Promise.ACKNOWLEDGED);
        Map<String, Number> figures = new HashMap<>(Convergence.figures(verdict));
        figures.put("joins", 1);
        figures.put("midway", midway ? 1 : 0);
        figures.put("percent", midway ? percent : 0);
        figures.put("missing", found[0]);
        figures.put("wrong", found[1]);
        figures.put("not_equal_in_5_s", equalAfter < 0 ? 1 : 0);
        return Figures.of(figures);
    }

    /** How much of the sessions it holds already; 0 if it does not answer. */
    private long percent(RemoteMember member) {
        return member.figures().getOrDefault("sessions", 0L) * 100 / sessions;
    }
}
