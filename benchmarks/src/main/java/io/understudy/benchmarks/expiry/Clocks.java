package io.understudy.benchmarks.expiry;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Three members under load whose clocks are wrong: one right, one ahead, one behind; then each set anew all the time,
 * and one member killed and started again meanwhile. The clocks are those that the core is given; JGroups has the
 * machine's. No session expires before its idle time is over, and no acknowledged write is lost to an earlier one.
 */
public final class Clocks {

    private static final Duration READY = Duration.ofSeconds(40);
    private static final int MEMBERS = 3;
    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(6, 60, true, 5, 200, 6, 1);
    private static final int SHORT_SESSIONS = 200;
    private static final long STEP_MILLIS = 250;

    private Clocks() {}

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 20 : 1;
        for (Duration off : List.of(Duration.ofSeconds(60), Duration.ofHours(1))) {
            Figures sum = trial.rounds(off.toSeconds() + " s", rounds, number -> round(trial, off, number));
            demands(trial, "+-" + off.toSeconds() + " s: ", rounds, sum);
        }
    }

    private static void demands(Trial trial, String off, int rounds, Figures sum) {
        trial.demand(
                off + "clocks were wrong and stepped under load",
                sum.get("steps") + " steps, " + sum.get("requests") + " requests",
                sum.get("steps") >= 20 * rounds && sum.get("requests") > 0);
        trial.demand(
                off + "no early expiry",
                sum.get("short_early") + " of " + sum.get("short_ended") + " ends early, " + sum.get("short_missing")
                        + " of " + sum.get("short_uses") + " uses in time found none",
                sum.get("short_early") + sum.get("short_missing") + sum.get("missed") == 0);
        trial.demand(
                off + "every session expires when nobody uses it",
                sum.get("short_ended") + " of " + SHORT_SESSIONS * rounds + ", " + sum.get("short_late")
                        + " not in 30 s",
                sum.get("short_ended") == SHORT_SESSIONS * rounds && sum.get("short_late") == 0);
        trial.demand(
                off + "no lost update",
                sum.get("lost") + " attributes, " + sum.get("lost_sessions") + " sessions, of "
                        + sum.get("acknowledged") + " acknowledged",
                sum.get("lost") + sum.get("lost_sessions") == 0);
        trial.demand(
                off + "nothing stale, resurrected, unexplained or unequal",
                sum.get("stale") + ", " + sum.get("resurrected") + ", " + sum.get("unexplained") + ", "
                        + sum.get("unequal"),
                sum.get("stale") + sum.get("resurrected") + sum.get("unexplained") + sum.get("unequal") == 0);
    }

    private static Figures round(Trial trial, Duration off, int round) throws Exception {
        Path directory = trial.results().resolve("clocks");
        History history = new History();
        RemoteCluster stopped = RemoteCluster.of(MEMBERS, (network, index) -> {
            long ahead = off.toMillis() * (index - 1);
            return new RemoteMember(network, index, directory, Map.of("clock", String.valueOf(ahead)));
        });
        try (RemoteCluster cluster = stopped.start()) {
            List<RemoteMember> members = cluster.members();
            String name = "c" + off.toSeconds() + "-" + round + "-";
            ShortSessions sessions = new ShortSessions(members, name + "short-", SHORT_SESSIONS).start();
            SessionLoad load = new SessionLoad(LOAD, name, history, client -> members).start();
            load.awaitRequests(2000);
            RemoteMember restarted = members.get(round % MEMBERS);
            Random random = new Random(round);
            int steps = steps(members, off, random, 10);
            restarted.kill();
            steps +=
                    steps(members.stream().filter(member -> member != restarted).toList(), off, random, 2);
            restarted.start();
            restarted.awaitReady(READY);
            steps += steps(members, off, random, 10);
            load.end();
            sessions.end();
            Map<String, Number> figures = new HashMap<>(sessions.ends());
            long equalAfter = Convergence.await(members);
            Verdict verdict = Convergence.judge(trial, members, history, Promise.ACKNOWLEDGED);
            figures.put("steps", steps);
            figures.put("requests", load.requests());
            figures.put("missed", load.missed());
            figures.put("acknowledged", history.count(Outcome.ACKNOWLEDGED));
            figures.put("not_equal_in_5_s", equalAfter < 0 ? 1L : 0L);
            figures.putAll(Convergence.figures(verdict));
            return Figures.of(figures);
        }
    }

    /** Sets each member's clock, each time to another one of those that are at most that far off. */
    private static int steps(List<RemoteMember> members, Duration off, Random random, int times)
            throws InterruptedException {
        for (int step = 0; step < times; step++) {
            for (RemoteMember member : members) {
                member.clock(Duration.ofMillis(Math.round(off.toMillis() * (2 * random.nextDouble() - 1))));
            }
            Thread.sleep(STEP_MILLIS);
        }
        return times;
    }
}
