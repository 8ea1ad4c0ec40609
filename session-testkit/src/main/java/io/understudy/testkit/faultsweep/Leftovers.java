package io.understudy.testkit.faultsweep;

import io.understudy.NodeFigures;
import io.understudy.Understudy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What a node may hold only while it handles something. Threads: any. */
public final class Leftovers {

    private static final List<String> FIGURES = List.of(
            "requests_in_flight",
            "requests_waiting",
            "locks_held",
            "locks_waiting",
            "locks_at_home",
            "changes_at_risk",
            "sessions_at_risk",
            "sessions_unsent",
            "ends_claimed",
            "ends_promised",
            "ends_at_risk");

    private Leftovers() {}

    /** The figures of a node that are not 0, by name; empty if nothing is left. */
    public static Map<String, Long> of(Understudy node) {
        Map<String, Long> figures = NodeFigures.momentary(node);
        Map<String, Long> left = new TreeMap<>();
        for (String name : FIGURES) {
            long figure = Objects.requireNonNull(figures.get(name), name);
            if (figure != 0) {
                left.put(name, figure);
            }
        }
        return left;
    }
}
