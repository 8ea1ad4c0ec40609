package io.understudy.benchmarks.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What several rounds of the same kind measured. */
public final class Rounds {

    private final List<Figures> rounds = new ArrayList<>();

    public void add(Figures figures) {
        rounds.add(figures);
    }

    /** The median of one figure. */
    public double median(String figure) {
        return median(round -> round.get(figure));
    }

    /** The median of the ratios, each of one round, so that what slows a whole round cancels out. */
    public double medianRatio(String figure, String base) {
        return median(round -> round.get(figure) / round.get(base));
    }

    private double median(ToDoubleFunction<Figures> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public double sum(String figure) {
        return rounds.stream().mapToDouble(round -> round.get(figure)).sum();
    }

    public double most(String figure) {
        return rounds.stream().mapToDouble(round -> round.get(figure)).max().orElseThrow();
    }

    public double min(String figure) {
        return rounds.stream().mapToDouble(round -> round.get(figure)).min().orElseThrow();
    }
}
