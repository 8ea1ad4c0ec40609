package io.understudy.benchmarks.exploration;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.store.Schedules;
import io.understudy.store.Schedules.Part;
import io.understudy.store.Schedules.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every schedule of a number of events on members that follow the product's rules. Each part is a round: a run that was
 * ended goes on with the first part that was not done.
 */
public final class Explore {

    private static final long STATES = 1_000_000;
    private static final long STATES_OF_SMALL = 100_000;

    private Explore() {}

    public static void run(Trial trial) throws Exception {
        List<Part> parts = trial.whole() ? Schedules.whole() : Schedules.small();
        Map<String, Long> distinct = new HashMap<>();
        long broken = 0;
        for (Part part : parts) {
            Figures found = trial.round(part.setting() + ", " + part.name(), () -> explore(trial, part));
            distinct.merge(part.setting(), (long) found.get("states"), Math::max);
            broken += (long) found.get("broken");
        }
        // What parts of one setting have in common counts once, with the largest of them.
        long states = distinct.values().stream().mapToLong(Long::longValue).sum();
        long demanded = trial.whole() ? STATES : STATES_OF_SMALL;
        trial.demand("at least " + demanded + " different states", states + " states", states >= demanded);
        trial.demand("no schedule breaks a law", broken + " of " + parts.size() + " parts did", broken == 0);
    }

    private static Figures explore(Trial trial, Part part) {
        try {
            Result result = part.run();
            return Figures.of(Map.of("states", result.states(), "steps", result.steps(), "broken", 0L));
        } catch (AssertionError e) {
            trial.say(part.setting() + ", " + part.name() + ": " + e.getMessage());
            return Figures.of(Map.of("states", 0L, "steps", 0L, "broken", 1L));
        }
    }
}
