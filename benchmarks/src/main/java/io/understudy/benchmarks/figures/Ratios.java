package io.understudy.benchmarks.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Ratios of pairs that were measured one after the other, so that what slows a pair cancels out: their median, and
 * how sure it is.
 */
public final class Ratios {

    private static final int RESAMPLES = 2_000;
    private static final double LOW = 0.025;
    private static final double HIGH = 0.975;

    /** The same samples give the same interval. */
    private static final long SEED = 1;

    private final List<Double> values = new ArrayList<>();

    /** The median, and where 95 of 100 medians are of samples drawn from the sample (a bootstrap interval). */
    public record Interval(double median, double low, double high) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, low, high);
        }
    }

    public void add(double value, double reference) {
        values.add(value / reference);
    }

    /** @throws IllegalStateException if there is no pair */
    public Interval interval() {
        if (values.isEmpty()) {
            throw new IllegalStateException("an interval needs a pair at least");
        }
        double[] sample = values.stream().mapToDouble(Double::doubleValue).toArray();
        SplittableRandom random = new SplittableRandom(SEED);
        double[] medians = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            double[] drawn = new double[sample.length];
            Arrays.setAll(drawn, any -> sample[random.nextInt(sample.length)]);
            medians[i] = median(drawn);
        }
        Arrays.sort(medians);
        return new Interval(median(sample), quantile(medians, LOW), quantile(medians, HIGH));
    }

    private static double quantile(double[] sorted, double share) {
        return sorted[(int) Math.round(share * (sorted.length - 1))];
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
