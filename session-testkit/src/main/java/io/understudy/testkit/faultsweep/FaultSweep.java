package io.understudy.testkit.faultsweep;

import io.understudy.testkit.faultpoints.FaultKind;
import io.understudy.testkit.faultpoints.FaultPoints;
import io.understudy.testkit.faultpoints.FaultPoints.Point;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Has each place that a scenario passes throw, one in each run, and looks after each run whether the cluster goes on, holds
 * what it acknowledged, and holds nothing else.
 *
 * <p>To be loaded by a {@link io.understudy.testkit.faultpoints.PointedLoader}.
 */
public final class FaultSweep {

    private FaultSweep() {}

    /**
     * Sweeps over one of {@code shards} parts of all places; of each with one of the things that may be thrown there.
     *
     * @param scenario name of a {@link Scenario}
     * @param seconds after which the rest is left out
     * @param broken gets a line for each run that broke something
     * @return how many {@code places} there are, {@code runs} were made, had something {@code thrown}, and places were {@code
     *     left} out; {@code steady} runs were for places that are passed each time, and {@code steady_thrown} of them threw
     */
    public static Map<String, Long> sweep(
            String scenario, int shard, int shards, long seconds, Consumer<String> broken) {
        Scenario swept = Scenario.valueOf(scenario);
        return sweep(() -> new SweptCluster(swept), shard, shards, seconds, broken);
    }

    /**
     * The same with another cluster.
     *
     * @param make makes it, and another one after each run that broke it
     */
    public static Map<String, Long> sweep(
            Supplier<? extends Swept> make, int shard, int shards, long seconds, Consumer<String> broken) {
        Sweep sweep = new Sweep(make, broken);
        try {
            return sweep.run(shard, shards, System.nanoTime() + seconds * 1_000_000_000L);
        } finally {
            sweep.close();
        }
    }

    /**
     * Has each thing thrown that may be, at each place whose description begins like this.
     *
     * @param scenario name of a {@link Scenario}
     * @param beginning for example a class and a dot
     * @return how many {@code places} there are, {@code runs} were made and had something {@code thrown}
     */
    public static Map<String, Long> sweepAt(String scenario, String beginning, Consumer<String> broken) {
        Scenario swept = Scenario.valueOf(scenario);
        Sweep sweep = new Sweep(() -> new SweptCluster(swept), broken);
        try {
            return sweep.run(beginning);
        } finally {
            sweep.close();
        }
    }

    private static final class Sweep {

        private final Supplier<? extends Swept> make;
        private final Consumer<String> broken;
        private Swept cluster;
        private long runs;
        private long thrown;

        /** Places that each run without a throw passed: others are those of second attempts and of late answers. */
        private Set<Point> steady = Set.of();

        private long steadyRuns;
        private long steadyThrown;

        Sweep(Supplier<? extends Swept> make, Consumer<String> broken) {
            this.make = make;
            this.broken = broken;
            this.cluster = make.get();
        }

        Map<String, Long> run(int shard, int shards, long endNanos) {
            List<Point> points = points();
            long left = 0;
            for (int i = shard; i < points.size(); i += shards) {
                if (System.nanoTime() - endNanos > 0) {
                    left++;
                } else {
                    List<FaultKind> possible = points.get(i).kind().possible();
                    run(points.get(i), possible.get(i / shards % possible.size()));
                }
            }
            return Map.of(
                    "places",
                    (long) points.size(),
                    "runs",
                    runs,
                    "thrown",
                    thrown,
                    "steady",
                    steadyRuns,
                    "steady_thrown",
                    steadyThrown,
                    "left",
                    left);
        }

        Map<String, Long> run(String beginning) {
            List<Point> points = points().stream()
                    .filter(point -> point.place().startsWith(beginning))
                    .toList();
            for (Point point : points) {
                point.kind().possible().forEach(kind -> run(point, kind));
            }
            return Map.of("places", (long) points.size(), "runs", runs, "thrown", thrown);
        }

        private List<Point> points() {
            runWithout(); // Places that only first runs pass are of no use.
            runWithout();
            Set<Point> before = new HashSet<>(runWithout());
            List<Point> passed = runWithout();
            before.retainAll(passed);
            steady = before;
            return passed;
        }

        /** Nothing is thrown. Returns the places that are passed. */
        private List<Point> runWithout() {
            cluster.prepare();
            List<Point> passed = FaultPoints.passed(cluster::act);
            cluster.check();
            return passed;
        }

        private void run(Point point, FaultKind kind) {
            runs++;
            steadyRuns += steady.contains(point) ? 1 : 0;
            String thread = null;
            try {
                cluster.prepare();
                FaultPoints.arm(point, kind);
                cluster.act();
                thread = FaultPoints.disarm();
                thrown += thread == null ? 0 : 1;
                steadyThrown += thread != null && steady.contains(point) ? 1 : 0;
                cluster.check();
            } catch (RuntimeException | Error e) {
                broken.accept(kind + " at " + point.place() + " in " + thread + ": " + e.getMessage());
                renew();
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
