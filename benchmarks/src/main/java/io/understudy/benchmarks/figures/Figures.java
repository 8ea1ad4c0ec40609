package io.understudy.benchmarks.figures;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one round measured: numbers by name. A name has no blank and no {@code =}. Immutable. */
public final class Figures {

    private final SortedMap<String, Double> values;

    private Figures(Map<String, Double> values) {
        this.values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    public static Figures of(Map<String, ? extends Number> values) {
        return new Figures(values.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, figure -> figure.getValue().doubleValue())));
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException if it is not that
     */
    public static Figures parse(String text) {
        Map<String, Double> values = new TreeMap<>();
        for (String figure : text.isBlank() ? new String[0] : text.trim().split(" ", -1)) {
            String[] parts = figure.split("=", 2);
            if (parts.length != 2) {
                throw new IllegalArgumentException("expected name=number, was '" + figure + "'");
            }
            values.put(parts[0], Double.parseDouble(parts[1]));
        }
        return new Figures(values);
    }

    /**
     * The figure of this name.
     *
     * @throws IllegalArgumentException if the round has none
     */
    public double get(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no figure '" + name + "' in: " + this);
        }
        return value;
    }

    /** These and those, where both have a name the sum. */
    public Figures plus(Figures others) {
        Map<String, Double> sums = new TreeMap<>(values);
        others.values.forEach((name, value) -> sums.merge(name, value, Double::sum));
        return new Figures(sums);
    }

    public SortedMap<String, Double> values() {
        return values;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Figures that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** {@code name=number name=number ...}, whole numbers without a point. */
    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(figure -> figure.getKey() + "=" + text(figure.getValue()))
                .collect(Collectors.joining(" "));
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
