package io.understudy.benchmarks.silence;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Histograms;
import io.understudy.benchmarks.load.SessionLoad;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Write.Outcome;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.HdrHistogram.Histogram;

/**
 * Three members, clients at two of them; the third stands still for a while and comes back. Incoherent requests do not
 * notice; coherent ones wait once, no longer than a silent member takes to be noticed. Then clients use the third.
 */
public final class Frozen {

    private static final Duration READY = Duration.ofSeconds(40);
    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(4, 40, false, 5, 500, 2, 1);

    /**
     * Until a silent member has left the view, at most: FD_ALL3 3.6 s + 0.2 s, VERIFY_SUSPECT2 0.5 s, the view 0.5 s.
     */
    private static final long DETECTION_MILLIS = 5000;

    /** A request that takes longer, in milliseconds, has waited for the frozen member. */
    private static final long WAITED_MILLIS = 500;

    /** Answered before any counts: what the compilers have to do comes early. */
    private static final long WARM_UP_REQUESTS = 6000;

    /** For so long clients use the member that came back. */
    private static final int THAWED_SECONDS = 6;

    private Frozen() {}

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 20 : 1;
        int steady = trial.whole() ? 20 : 10;
        int frozen = trial.whole() ? 30 : 10;
        for (String coherence : List.of("incoherent", "coherent")) {
            double above = 0;
            double worst = 0;
            double waits = 0;
            double longest = 0;
            double thawed = 0;
            boolean served = true;
            for (int round = 1; round <= rounds; round++) {
                Figures figures = trial.round(coherence + " " + round, () -> round(trial, coherence, steady, frozen));
                double ratio = figures.get("p99_frozen_us") / figures.get("p99_steady_us");
                above += ratio > 2 ? 1 : 0;
                worst = Math.max(worst, ratio);
                waits = Math.max(waits, figures.get("waits_of_a_client"));
                longest = Math.max(longest, figures.get("longest_ms"));
                thawed = Math.max(thawed, figures.get("longest_thawed_ms"));
                served &= figures.get("writes_thawed") > figures.get("requests_thawed") / 2;
            }
            trial.floor(
                    coherence + ": no request at the member that came back takes " + WAITED_MILLIS + " ms",
                    thawed + " ms; " + (served ? "all" : "not all") + " rounds with writes there",
                    served && thawed < WAITED_MILLIS);
            if (coherence.equals("incoherent")) {
                trial.floor(
                        "incoherent: p99 <= 2x steady the whole time, every round",
                        String.format(Locale.ROOT, "at most %.2f x; %.0f rounds above", worst, above),
                        above == 0);
            } else {
                trial.floor("coherent: each client waits at most once", "" + waits, waits <= 1);
                trial.floor(
                        "coherent: no longer than failure detection takes, " + DETECTION_MILLIS + " ms",
                        longest + " ms",
                        longest <= DETECTION_MILLIS);
            }
        }
    }

    private static Figures round(Trial trial, String coherence, int steadySeconds, int frozenSeconds) throws Exception {
        Path directory = trial.results().resolve("frozen");
        try (RemoteCluster cluster = RemoteCluster.start(3, directory, Map.of("coherence", coherence))) {
            List<RemoteMember> members = cluster.members();
            List<RemoteMember> serving = members.subList(0, 2);
            SessionLoad load = new SessionLoad(LOAD, "z-", new History(), client -> serving).start();
            load.awaitRequests(WARM_UP_REQUESTS);
            Histogram steady = Histograms.ofMicros();
            load.watchedBy((client, began, ended) -> Histograms.record(steady, ended - began));
            Thread.sleep(steadySeconds * 1000L);
            Histogram frozen = Histograms.ofMicros();
            AtomicIntegerArray waits = new AtomicIntegerArray(LOAD.clients());
            long fault = System.nanoTime();
            load.watchedBy((client, began, ended) -> {
                Histograms.record(frozen, ended - began);
                if (ended - began > WAITED_MILLIS * 1_000_000) {
                    waits.incrementAndGet(client);
                    trial.say(String.format(
                            Locale.ROOT,
                            "client %d waited %d ms, from %d ms after the freeze on",
                            client,
                            (ended - began) / 1_000_000,
                            (began - fault) / 1_000_000));
                }
            });
            members.get(2).jvm().freeze();
            Thread.sleep(frozenSeconds * 1000L);
            members.get(2).jvm().thaw();
            members.get(2).awaitReady(READY);
            Histogram thawed = Histograms.ofMicros();
            History writes = new History();
            SessionLoad there = new SessionLoad(LOAD, "t-", writes, client -> members.subList(2, 3))
                    .watchedBy((client, began, ended) -> Histograms.record(thawed, ended - began))
                    .start();
            load.awaitRequests(1000);
            load.end();
            Thread.sleep(THAWED_SECONDS * 1000L);
            there.end();
            Map<String, Number> figures = new HashMap<>();
            figures.put(
                    "p99_steady_us",
                    Histograms.corrected(steady, LOAD.thinkMillis()).getValueAtPercentile(99));
            figures.put(
                    "p99_frozen_us",
                    Histograms.corrected(frozen, LOAD.thinkMillis()).getValueAtPercentile(99));
            figures.put("p50_steady_us", steady.getValueAtPercentile(50));
            figures.put("p50_frozen_us", frozen.getValueAtPercentile(50));
            figures.put("requests_steady", steady.getTotalCount());
            figures.put("requests_frozen", frozen.getTotalCount());
            figures.put("longest_ms", frozen.getMaxValue() / 1000);
            figures.put("requests_thawed", thawed.getTotalCount());
            figures.put("writes_thawed", writes.count(Outcome.ACKNOWLEDGED) + writes.count(Outcome.DEGRADED));
            figures.put("longest_thawed_ms", thawed.getMaxValue() / 1000);
            int most = 0;
            for (int client = 0; client < LOAD.clients(); client++) {
                most = Math.max(most, waits.get(client));
            }
            figures.put("waits_of_a_client", most);
            return Figures.of(figures);
        }
    }
}
