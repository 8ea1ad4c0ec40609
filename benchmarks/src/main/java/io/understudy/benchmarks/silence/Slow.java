package io.understudy.benchmarks.silence;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Histograms;
import io.understudy.benchmarks.load.Convergence;
import io.understudy.benchmarks.load.SessionLoad;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.member.Heap;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.HdrHistogram.Histogram;

/**
 * Three members, clients at two of them; the third is slow: stopped for 5 s, or stopped 90 ms of each 100. Incoherent
 * requests do not notice; coherent ones wait once, no longer than a silent member takes to be noticed. What is sent
 * meanwhile does not fill the senders' heaps, and the slow one soon catches up.
 */
public final class Slow {

    private static final Duration READY = Duration.ofSeconds(40);
    private static final SessionLoad.Shape LOAD = new SessionLoad.Shape(4, 40, false, 5, 2000, 2, 1);

    /** Until a silent member has left the view, at most; see {@link Frozen}. */
    private static final long DETECTION_MILLIS = 5000;

    /** A request that takes longer, in milliseconds, has waited for a member that is silent, not only slow. */
    private static final long WAITED_MILLIS = 500;

    private static final Duration CATCH_UP = Duration.ofSeconds(10);
    private static final double MAX_GROWTH_MB = 64;

    /** Answered before any counts: what the compilers have to do comes early. */
    private static final long WARM_UP_REQUESTS = 6000;

    /** Then the sessions of all clients are there. */
    private static final long START_REQUESTS = 1000;

    private static final long STEADY_MILLIS = 4000;
    private static final long SLOW_MILLIS = 5000;

    /**
     * How often it is slow for {@link #SLOW_MILLIS}, all as one p99: in one alone, 50 ms in which this machine stands
     * still are more than the hundredth part.
     */
    private static final int INCOHERENT_TURNS = 3;

    /** Ends what makes a member slow. */
    private interface Hold {
        void close();
    }

    /** How a member is slow. */
    private enum Slowness {
        STOPPED("stopped for 5 s") {
            @Override
            Hold begin(RemoteMember member) {
                member.jvm().freeze();
                return member.jvm()::thaw;
            }
        },
        STARVED("running 10 ms of 100") {
            @Override
            Hold begin(RemoteMember member) {
                return member.jvm().duty(Duration.ofMillis(10), Duration.ofMillis(90))::close;
            }
        };

        private final String text;

        Slowness(String text) {
            this.text = text;
        }

        abstract Hold begin(RemoteMember member);
    }

    private final Trial trial;
    private final List<RemoteMember> members;
    private final List<RemoteMember> serving;
    private final Map<String, Number> figures = new HashMap<>();
    private int loads;

    private Slow(Trial trial, List<RemoteMember> members) {
        this.trial = trial;
        this.members = members;
        this.serving = members.subList(0, 2);
    }

    public static void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 20 : 1;
        List<Figures> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            all.add(trial.round("round " + round, () -> round(trial)));
        }
        for (Slowness slowness : Slowness.values()) {
            String name = slowness.name();
            String text = slowness.text + ": ";
            floor(
                    trial,
                    all,
                    name + "_p99_ratio",
                    2,
                    text + "incoherent p99 <= 2x steady, " + INCOHERENT_TURNS + " turns as one",
                    "x");
            floor(trial, all, name + "_waits", 1, text + "a coherent client waits at most once", "times");
            floor(
                    trial,
                    all,
                    name + "_longest_ms",
                    (double) DETECTION_MILLIS,
                    text + "no longer than failure detection takes, " + DETECTION_MILLIS + " ms",
                    "ms");
            floor(trial, all, name + "_growth_mb", MAX_GROWTH_MB, text + "senders' heaps grow by <= 64 MB", "MB");
            floor(
                    trial,
                    all,
                    name + "_catch_up_ms",
                    (double) CATCH_UP.toMillis(),
                    text + "then ready and equal within " + CATCH_UP.toSeconds() + " s",
                    "ms");
        }
    }

    private static void floor(Trial trial, List<Figures> all, String figure, double most, String text, String unit) {
        double worst =
                all.stream().mapToDouble(round -> round.get(figure)).max().orElseThrow();
        trial.floor(text + ", every round", String.format(Locale.ROOT, "at most %.2f %s", worst, unit), worst <= most);
    }

    private static Figures round(Trial trial) throws Exception {
        Path directory = trial.results().resolve("slow");
        try (RemoteCluster cluster = RemoteCluster.start(3, directory, Map.of("coherence", "incoherent"))) {
            List<RemoteMember> members = cluster.members();
            return new Slow(trial, members).phases();
        }
    }

    private Figures phases() throws Exception {
        SessionLoad warmUp = load();
        warmUp.awaitRequests(WARM_UP_REQUESTS);
        warmUp.end();
        for (boolean coherent : new boolean[] {false, true}) {
            for (RemoteMember member : serving) {
                member.turn(coherent);
            }
            for (Slowness slowness : Slowness.values()) {
                Histogram steady = Histograms.ofMicros();
                Histogram slow = Histograms.ofMicros();
                for (int turn = 0; turn < (coherent ? 1 : INCOHERENT_TURNS); turn++) {
                    during(slowness, coherent, steady, slow);
                }
                if (!coherent) {
                    most(slowness.name() + "_p99_ratio", (double) p99(slow) / p99(steady));
                }
            }
        }
        return Figures.of(figures);
    }

    private void during(Slowness slowness, boolean coherent, Histogram steady, Histogram slow) throws Exception {
        SessionLoad load = load();
        load.awaitRequests(START_REQUESTS);
        List<Heap> before = heaps();
        steady(load, steady);
        AtomicIntegerArray waits = new AtomicIntegerArray(LOAD.clients());
        load.watchedBy((client, began, ended) -> {
            Histograms.record(slow, ended - began);
            if (ended - began > WAITED_MILLIS * 1_000_000) {
                waits.incrementAndGet(client);
            }
        });
        long growth = 0;
        long thawed;
        Hold hold = slowness.begin(members.get(2));
        try {
            Thread.sleep(SLOW_MILLIS);
            load.watchedBy((client, began, ended) -> {});
            List<Heap> after = heaps();
            for (int i = 0; i < after.size(); i++) {
                growth = Math.max(growth, after.get(i).peak() - before.get(i).used());
            }
            thawed = System.nanoTime();
        } finally {
            hold.close();
        }
        load.end();
        long catchUp = caughtUp(thawed);
        load = load();
        load.awaitRequests(START_REQUESTS);
        steady(load, steady);
        load.end();
        String name = slowness.name();
        most(name + "_growth_mb", growth / 1e6);
        most(name + "_catch_up_ms", (double) catchUp);
        if (coherent) {
            most(name + "_longest_ms", slow.getMaxValue() / 1e3);
            for (int client = 0; client < LOAD.clients(); client++) {
                most(name + "_waits", waits.get(client));
            }
        }
        trial.say(String.format(
                Locale.ROOT,
                "%s, %s: p99 %d us steady, %d us slow, longest %d ms; %d and %d requests; heap +%.1f MB; equal after %d ms",
                slowness.text,
                coherent ? "coherent" : "incoherent",
                p99(steady),
                p99(slow),
                slow.getMaxValue() / 1000,
                steady.getTotalCount(),
                slow.getTotalCount(),
                growth / 1e6,
                catchUp));
    }

    /** Half before and half after, so that a machine that gets slower slows both. */
    private static void steady(SessionLoad load, Histogram times) throws InterruptedException {
        load.watchedBy((client, began, ended) -> Histograms.record(times, ended - began));
        Thread.sleep(STEADY_MILLIS / 2);
        load.watchedBy((client, began, ended) -> {});
    }

    private void most(String figure, double value) {
        figures.merge(figure, value, (a, b) -> Math.max(a.doubleValue(), b.doubleValue()));
    }

    private static long p99(Histogram times) {
        return Histograms.corrected(times, LOAD.thinkMillis()).getValueAtPercentile(99);
    }

    private List<Heap> heaps() {
        return serving.stream().map(RemoteMember::heap).toList();
    }

    /** Milliseconds until the slow one was ready and held what the others hold. */
    private long caughtUp(long thawed) {
        Await.until(READY, () -> "not ready, or unequal", () -> members.get(2).ready() && Convergence.equal(members));
        return (System.nanoTime() - thawed) / 1_000_000;
    }

    private SessionLoad load() {
        return new SessionLoad(LOAD, "s" + loads++ + "-", new History(), client -> serving).start();
    }
}
