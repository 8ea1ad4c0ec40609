package io.understudy.sims;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a node's own figures, in the text format of Prometheus. */
final class NodeMetrics {

    private static final String NAME = "understudy_replication_lag_microseconds";

    private static final Pattern SAMPLE = Pattern.compile("(?m)^" + NAME + "(_count)?\\{([^}]*)} +(\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /**
     * From the merge of a change on the node to one peer's acknowledgement: an upper bound of when the peer had it.
     *
     * @param count how many changes were measured
     * @param micros by quantile, as the node writes it: {@code 0.5}, {@code 0.99}, {@code 0.999}
     */
    record Lag(long count, Map<String, Double> micros) {

        private static final Lag NONE = new Lag(0, Map.of());

        /** In microseconds; not a number if the node does not give it. */
        double quantile(String name) {
            return micros.getOrDefault(name, Double.NaN);
        }

        /** The same quantiles, and only what was counted after {@code earlier}. */
        Lag since(Lag earlier) {
            // A restarted node counts from zero again.
            return new Lag(count >= earlier.count ? count - earlier.count : count, micros);
        }
    }

    private NodeMetrics() {}

    /** A counter's value, {@code 0} if the node has none of that name. */
    static long counter(String metrics, String name) {
        Matcher sample =
                Pattern.compile("(?m)^" + Pattern.quote(name) + " +(\\S+)").matcher(metrics);
        return sample.find() ? (long) number(sample.group(1)) : 0;
    }

    /** By peer; empty if the node says nothing of lag. */
    static Map<String, Lag> lags(String metrics) {
        Map<String, Long> counts = new TreeMap<>();
        Map<String, Map<String, Double>> quantiles = new TreeMap<>();
        Matcher sample = SAMPLE.matcher(metrics);
        while (sample.find()) {
            Map<String, String> labels = labels(sample.group(2));
            String peer = labels.getOrDefault("peer", "?");
            double value = number(sample.group(3));
            String quantile = labels.get("quantile");
            if (sample.group(1) != null) {
                counts.put(peer, (long) value);
            } else if (quantile != null) {
                quantiles.computeIfAbsent(peer, name -> new TreeMap<>()).put(quantile, value);
            }
        }
        Map<String, Lag> lags = new TreeMap<>();
        counts.forEach((peer, count) -> lags.put(peer, new Lag(count, quantiles.getOrDefault(peer, Map.of()))));
        return lags;
    }

    /** What {@code after} counted beyond {@code before}, by peer. */
    static Map<String, Lag> since(Map<String, Lag> before, Map<String, Lag> after) {
        Map<String, Lag> lags = new TreeMap<>();
        after.forEach((peer, lag) -> lags.put(peer, lag.since(before.getOrDefault(peer, Lag.NONE))));
        return lags;
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(text);
        while (label.find()) {
            labels.put(label.group(1), label.group(2));
        }
        return labels;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
