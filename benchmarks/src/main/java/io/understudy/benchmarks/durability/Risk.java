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
import io.understudy.testkit.member.RiskGauge;
import io.understudy.testkit.netns.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Three incoherent members under load; one is killed. What was answered and is lost is no more than the last reading of
 * its at-risk gauge, which it writes every 10 ms to a mapped file, and what it answered after that reading.
 */
public final class Risk {

    private static final Duration READY = Duration.ofSeconds(40);
    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(8, 40, false, 5, 500, 1, 1);

    /** Too short for the failure detection, so the gauge still counts on the others. */
    private static final long CUT_MILLIS = 700;

    /** A silence that failure detection lets pass. */
    private static final Duration TOLERATED = Duration.ofSeconds(3);

    /** How often a machine may stand still, so that a cut takes too long. */
    private static final int ATTEMPTS = 20;

    private Risk() {}

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 100 : 3;
        Figures sum = trial.rounds("round", rounds, number -> round(trial, number));
        trial.demand("SIGKILLs under load", "" + sum.get("kills"), sum.get("kills") == rounds);
        trial.demand(
                "sessions with lost writes <= last reading + responses after it, in every round",
                sum.get("lost_sessions") + " <= " + sum.get("sessions_at_risk") + " + " + sum.get("responses_after")
                        + ", rounds above: " + sum.get("sessions_above"),
                sum.get("sessions_above") == 0);
        trial.demand(
                "lost bytes <= last reading + bytes answered after it, in every round",
                sum.get("lost_bytes") + " <= " + sum.get("bytes_at_risk") + " + " + sum.get("bytes_after")
                        + ", rounds above: " + sum.get("bytes_above"),
                sum.get("bytes_above") == 0);
        trial.demand(
                "the gauge is below what a blind bound would say, and writes were lost",
                sum.get("sessions_at_risk") + " of " + sum.get("sent") + " writes, lost " + sum.get("lost_sessions"),
                sum.get("lost_sessions") > 0 && sum.get("sessions_at_risk") < sum.get("sent") / 2);
        trial.demand(
                "the others are equal, nothing unexplained",
                sum.get("unequal") + ", " + sum.get("unexplained"),
                sum.get("unequal") + sum.get("unexplained") == 0);
    }

    private static Figures round(Trial trial, int round) throws Exception {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Figures> figures = attempt(trial, round);
            if (figures.isPresent()) {
                return figures.get();
            }
            trial.say("the cut took so long that the gauge may not count the others any more: once more");
        }
        throw new IllegalStateException("a cut of " + CUT_MILLIS + " ms always took more than " + TOLERATED);
    }

    /** Empty if the cut took too long to say anything. */
    private static Optional<Figures> attempt(Trial trial, int round) throws Exception {
        Path directory = trial.results().resolve("at-risk/round-" + round);
        History history = new History();
        try (RemoteCluster cluster = RemoteCluster.start(3, directory, Map.of("coherence", "incoherent"))) {
            List<RemoteMember> members = cluster.members();
            RemoteMember victim = members.get(0);
            List<RemoteMember> others = members.subList(1, 3);
            SessionLoad load = new SessionLoad(LOAD, "r" + round + "-", history, client -> List.of(victim)).start();
            load.awaitRequests(2000);
            long began = System.nanoTime();
            long took;
            try (Fault fault = round % 3 == 0
                    ? cluster.network().partition(List.of(Set.of(0), Set.of(1, 2)))
                    : cluster.network().loss(round % 3 == 1 ? 0 : 20)) {
                Thread.sleep(CUT_MILLIS);
                victim.kill();
                took = System.nanoTime() - began;
                trial.say("killed under " + fault);
            }
            load.end();
            if (took > TOLERATED.toNanos()) {
                return Optional.empty();
            }
            others.forEach(member -> member.awaitReady(READY));
            return Optional.of(compared(
                    trial, victim.risk(), Convergence.judge(trial, others, history, Promise.ACKNOWLEDGED), history));
        }
    }

    private static Figures compared(Trial trial, RiskGauge gauge, Verdict verdict, History history) {
        RiskGauge.Reading last = gauge.last();
        long after = gauge.responses() - last.responses();
        long bytesAfter = gauge.bytes() - last.bytes();
        long lost =
                verdict.losses().stream().map(Verdict.Loss::session).distinct().count();
        long lostBytes = verdict.losses().stream()
                        .filter(loss -> !loss.attribute().isEmpty() && !loss.removal())
                        .count()
                * LOAD.bytes();
        trial.say("last reading " + last + ", then " + after + " responses; lost "
                + verdict.losses().size() + " attributes of " + lost + " sessions");
        Map<String, Long> figures = new HashMap<>(Convergence.figures(verdict));
        figures.put("kills", 1L);
        figures.put("sent", history.count(Outcome.DEGRADED));
        figures.put("sessions_at_risk", last.sessions());
        figures.put("bytes_at_risk", last.bytesAtRisk());
        figures.put("responses_after", after);
        figures.put("bytes_after", bytesAfter);
        figures.put("lost_sessions", lost);
        figures.put("lost_bytes", lostBytes);
        figures.put("sessions_above", lost > last.sessions() + after ? 1L : 0L);
        figures.put("bytes_above", lostBytes > last.bytesAtRisk() + bytesAfter ? 1L : 0L);
        return Figures.of(figures);
    }
}
