package io.understudy.testkit.faultsweep;

import io.understudy.testkit.faultpoints.FaultPoints;
import io.understudy.testkit.faultpoints.FaultPoints.Point;
import io.understudy.testkit.faultpoints.SweepPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Has each place that a scenario passes throw, one in each run, and looks after each run whether the cluster goes on, holds
 * what it acknowledged, and holds nothing else.
 *
 * <p>To be loaded by a {@link io.understudy.testkit.faultpoints.PointedLoader}.
 */
public final class FaultSweep {

    /** Those that each sweep has, be they 0. */
    private static final List<String> FIGURES = List.of(
            "places",
            "runs",
            "thrown",
            "steady",
            "steady_thrown",
            "left",
            "thrown_memory",
            "thrown_exception",
            "thrown_linkage",
            "thrown_interrupt",
            "thrown_at_first",
            "thrown_at_second",
            "thrown_at_later");

    private FaultSweep() {}

    /**
     * Sweeps over a part of all places: each has one of the things thrown that may be, at one arrival.
     * With three turns in a row for each of these things, a place has each at the first arrival, the second, and a later
     * one.
     *
     * @param scenario name of a {@link Scenario}
     * @param seconds after which the rest is left out
     * @param broken gets a line for each run that broke something
     * @param missed gets a line for each run in which nothing was thrown
     * @return how many {@code places} there are, and how many were {@code left} out; how many {@code runs} were made, and in
     *     how many something was {@code thrown}. {@code steady} runs were for arrivals that happen each time; {@code
     *     steady_thrown} of them threw. The rest counts runs by kind of fault, and by first, second or later arrival
     */
    public static Map<String, Long> sweep(
            String scenario, SweepPart part, long seconds, Consumer<String> broken, Consumer<String> missed) {
        Scenario swept = Scenario.valueOf(scenario);
        return sweep(() -> new SweptCluster(swept), part, seconds, broken, missed);
    }

    /**
     * The same with another cluster.
     *
     * @param make makes it, and another one after each run that broke it
     */
    public static Map<String, Long> sweep(
            Supplier<? extends Swept> make,
            SweepPart part,
            long seconds,
            Consumer<String> broken,
            Consumer<String> missed) {
        Sweep sweep = new Sweep(make, broken, missed);
        try {
            return sweep.run(part, System.nanoTime() + seconds * 1_000_000_000L);
        } finally {
            sweep.close();
        }
    }

    /**
     * Has each thing thrown that may be, at each place whose description begins like this, at its first arrival and at its
     * second.
     *
     * @param scenario name of a {@link Scenario}
     * @param beginning for example a class and a dot
     * @return how many {@code places_there} there are, {@code runs} were made and had something {@code thrown}
     */
    public static Map<String, Long> sweepAt(String scenario, String beginning, Consumer<String> broken) {
        Scenario swept = Scenario.valueOf(scenario);
        Sweep sweep = new Sweep(() -> new SweptCluster(swept), broken, missed -> {});
        try {
            return sweep.run(beginning);
        } finally {
            sweep.close();
        }
    }

    private static final class Sweep {

        private final Supplier<? extends Swept> make;
        private final Consumer<String> broken;
        private final Consumer<String> missed;
        private final Map<String, Long> figures = new TreeMap<>();
        private Swept cluster;

        /** Arrivals in each run without a throw: others are those of second attempts and of late answers. */
        private Map<Point, Long> steady = Map.of();

        Sweep(Supplier<? extends Swept> make, Consumer<String> broken, Consumer<String> missed) {
            this.make = make;
            this.broken = broken;
            this.missed = missed;
            this.cluster = make.get();
            FIGURES.forEach(figure -> count(figure, false));
        }

        private void count(String figure, boolean so) {
            figures.merge(figure, so ? 1L : 0L, Long::sum);
        }

        Map<String, Long> run(SweepPart part, long endNanos) {
            for (Shot shot : Shot.plan(arrivals(), part)) {
                if (System.nanoTime() - endNanos > 0) {
                    count("left", true);
                } else {
                    run(shot);
                }
            }
            return figures;
        }

        Map<String, Long> run(String beginning) {
            arrivals().forEach((point, arrivals) -> {
                if (point.place().startsWith(beginning)) {
                    count("places_there", true);
                    Shot.all(point, arrivals).forEach(this::run);
                }
            });
            return figures;
        }

        private Map<Point, Long> arrivals() {
            runWithout(); // Places that only first runs pass are of no use.
            runWithout();
            Map<Point, Long> before = runWithout();
            Map<Point, Long> arrivals = runWithout();
            steady = new LinkedHashMap<>(arrivals);
            steady.replaceAll((point, count) -> Math.min(count, before.getOrDefault(point, 0L)));
            figures.put("places", (long) arrivals.size());
            // A later arrival is one that happens each time, if there are any.
            arrivals.replaceAll((point, count) -> Math.max(1, steady.getOrDefault(point, 0L)));
            return arrivals;
        }

        /** Nothing is thrown. Returns how often the places are passed. */
        private Map<Point, Long> runWithout() {
            cluster.prepare();
            Map<Point, Long> arrivals = FaultPoints.arrivals(cluster::act);
            cluster.check();
            return arrivals;
        }

        private void run(Shot shot) {
            boolean expected = steady.getOrDefault(shot.point(), 0L) >= shot.arrival();
            FaultPoints.Thrown thrown = null;
            try {
                cluster.prepare();
                FaultPoints.arm(shot.point(), shot.kind(), shot.arrival());
                cluster.act();
                thrown = FaultPoints.disarm();
                cluster.check();
            } catch (RuntimeException | Error e) {
                broken.accept(shot + " in " + thrown + ": " + e.getMessage());
                renew();
            }
            count(shot, thrown != null, expected);
        }

        private void count(Shot shot, boolean thrown, boolean expected) {
            count("runs", true);
            count("thrown", thrown);
            count("steady", expected);
            count("steady_thrown", expected && thrown);
            count("thrown_" + shot.kind().name().toLowerCase(Locale.ROOT), thrown);
            count("thrown_at_" + (shot.arrival() > 2 ? "later" : shot.arrival() == 2 ? "second" : "first"), thrown);
            if (!thrown) {
                missed.accept(shot + (expected ? ", which each run passes" : ""));
            }
        }

        private void renew() {
            close();
            cluster = make.get();
        }

        void close() {
            FaultPoints.disarm();
            cluster.close();
        }
    }
}
