package io.understudy.benchmarks.joining;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Histograms;
import io.understudy.benchmarks.load.SessionLoad;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.history.History;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.netns.Network;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * A member joins two that hold many sessions of 4 KB and are loaded with 30 % of what they can do. The experiment
 * measures how soon the member is ready, what the others' clients notice, and what the member needs of its heap. Its
 * JVM is warm: it has joined before. Its heap is as large as it may become, so that a join which needs more fails.
 *
 * <p>Then joins in which the member that is pulled from is killed midway ({@link JoinKills}).
 */
public final class Join {

    static final int BYTES = 4096;
    static final int IDLE_SECONDS = 7200;
    static final int FILL_THREADS = 32;

    private static final Duration READY = Duration.ofMinutes(2);
    private static final long READY_MILLIS = 60_000;
    private static final double SHARE = 0.3;
    private static final double MAX_HEAP = 1.5;

    /** What a session of one attribute may take besides its content, in bytes. */
    private static final long OVERHEAD = 464;

    private static final long MILLION = 1_000_000;
    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(8, 40, false, 5, 500, 0, 1);

    private Join() {}

    static int sessions(Trial trial) {
        return trial.whole() ? 100_000 : 5_000;
    }

    /**
     * Options of a JVM with a heap of so many bytes, which ends when that is not enough. With the collector that
     * servers have: the serial one stops a joiner for 0.3 s once in each join, and ends of sessions wait for its
     * vote.
     */
    static List<String> options(long heap) {
        return List.of(
                "-Xmx" + heap,
                "-XX:+UseG1GC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.util.logging.SimpleFormatter.format=%1$tT.%1$tL %4$s %5$s%n");
    }

    /** Room for the sessions and everything else. */
    static List<String> roomy(Trial trial) {
        return options(trial.whole() ? 2000 * MILLION : 300 * MILLION);
    }

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 3 : 1;
        for (int round = 1; round <= rounds; round++) {
            Figures figures = trial.round("join " + round, () -> round(trial));
            demands(trial, figures);
        }
        JoinKills.run(trial);
    }

    private static void demands(Trial trial, Figures figures) {
        trial.floor(
                "joiner's heap <= 1.5x of its store: it joins with no more besides what it needs when empty",
                String.format(
                        Locale.ROOT,
                        "%.1f MB for a store of %.1f MB; %.0f processes ran out of it",
                        figures.get("heap_mb"),
                        figures.get("store_mb"),
                        figures.get("died")),
                figures.get("died") == 0);
        if (figures.get("died") > 0) {
            return; // It has no other figures.
        }
        trial.floor(
                sessions(trial) + " sessions of 4 KB: ready in <= 60 s, warm",
                figures.get("ready_ms") + " ms",
                figures.get("ready_ms") <= READY_MILLIS);
        trial.demand(
                "it holds all of them, with their content",
                figures.get("missing") + " missing, " + figures.get("wrong") + " wrong",
                figures.get("missing") + figures.get("wrong") == 0);
        double steady = figures.get("p99_steady_us");
        double joining = figures.get("p99_join_us");
        trial.floor(
                "the others' p99 during the transfer <= 3x or + 20 ms, at 30 % of their maximum",
                String.format(
                        Locale.ROOT,
                        "%.0f us, steady %.0f us, %.0f of %.0f requests/s",
                        joining,
                        steady,
                        figures.get("rate"),
                        figures.get("maximum")),
                joining <= Math.max(3 * steady, steady + 20_000));
    }

    private static Figures round(Trial trial) throws Exception {
        Path directory = trial.results().resolve("join");
        int sessions = sessions(trial);
        Map<String, Number> figures = new HashMap<>();
        try (Network network = Network.of(3);
                RemoteMember first = new RemoteMember(network, 0, directory, Map.of(), roomy(trial));
                RemoteMember second = new RemoteMember(network, 1, directory, Map.of(), roomy(trial))) {
            List<RemoteMember> others = List.of(first, second);
            for (RemoteMember member : others) {
                member.start();
            }
            others.forEach(member -> member.awaitReady(READY));
            SessionLoad load = new SessionLoad(LOAD, "j-", History.unkept(), client -> others).start();
            double maximum = maximum(load);
            double rate = Math.rint(maximum * SHARE);
            load.atRate(rate);
            figures.put("maximum", maximum);
            figures.put("rate", rate);
            long store = (long) sessions * (BYTES + OVERHEAD);
            long heap = first.heap().used() + Math.round(MAX_HEAP * store);
            first.fill(0, sessions, IDLE_SECONDS, BYTES, FILL_THREADS);
            figures.put("store_mb", store / 1e6);
            figures.put("heap_mb", heap / 1e6);
            try (RemoteMember joiner = new RemoteMember(network, 2, directory, Map.of(), options(heap))) {
                try {
                    joiner.start();
                    joiner.awaitReady(READY);
                    joined(trial, load, joiner, figures);
                } catch (IllegalStateException | AssertionError e) {
                    if (joiner.jvm().alive()) {
                        throw e;
                    }
                    trial.say("the joiner ended: " + e.getMessage());
                    figures.put("died", 1);
                }
            }
            load.end();
            return Figures.of(figures);
        }
    }

    /** Requests per second of clients that do not think, when the compilers have done most. */
    private static double maximum(SessionLoad load) throws InterruptedException {
        load.awaitRequests(8000);
        long before = load.requests();
        long began = System.nanoTime();
        Thread.sleep(3000);
        return Math.rint((load.requests() - before) * 1e9 / (System.nanoTime() - began));
    }

    /**
     * It has joined once; it does so again, several times, each time after a while of undisturbed load. A join of few
     * sessions takes seconds, in which something else on the machine may be all that is seen: the median join counts.
     */
    private static void joined(Trial trial, SessionLoad load, RemoteMember joiner, Map<String, Number> figures)
            throws Exception {
        int joins = trial.whole() ? 3 : 5;
        long[] steadyP99 = new long[joins];
        long[] joiningP99 = new long[joins];
        long requests = 0;
        long longest = 0;
        long slowest = 0;
        long missing = 0;
        long wrong = 0;
        for (int join = 0; join < joins; join++) {
            Histogram steady = Histograms.ofMicros();
            Histogram joining = Histograms.ofMicros();
            joiner.leave();
            load.awaitRequests(500);
            load.watchedBy((client, began, ended) -> Histograms.record(steady, ended - began));
            Thread.sleep(trial.whole() ? 10_000 : 2000);
            load.watchedBy((client, began, ended) -> Histograms.record(joining, ended - began));
            long began = System.nanoTime();
            joiner.deploy();
            joiner.awaitReady(READY);
            slowest = Math.max(slowest, System.nanoTime() - began);
            load.watchedBy((client, due, ended) -> {});
            steadyP99[join] = steady.getValueAtPercentile(99);
            joiningP99[join] = joining.getValueAtPercentile(99);
            requests += joining.getTotalCount();
            longest = Math.max(longest, joining.getMaxValue());
            long[] found = joiner.check(0, sessions(trial), BYTES);
            missing += found[0];
            wrong += found[1];
        }
        figures.put("died", 0);
        figures.put("ready_ms", slowest / MILLION);
        figures.put("missing", missing);
        figures.put("wrong", wrong);
        figures.put("requests_join", requests);
        figures.put("p99_steady_us", median(steadyP99));
        figures.put("p99_join_us", median(joiningP99));
        figures.put("longest_join_us", longest);
        trial.say(
                "p99 of each join, us: " + Arrays.toString(joiningP99) + ", before it: " + Arrays.toString(steadyP99));
    }

    private static long median(long... values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
