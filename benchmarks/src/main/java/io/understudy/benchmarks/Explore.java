package io.understudy.benchmarks;

import io.understudy.store.Schedules;
import io.understudy.store.Schedules.Part;
import io.understudy.store.Schedules.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Every schedule of a number of events on members that follow the product's rules, two parts at a time. */
final class Explore {

    private static final int THREADS = 2;
    private static final int PARTS_PER_ROUND = 4;
    private static final int SMALL_PARTS = 12;
    private static final long STATES = 1_000_000;

    private Explore() {}

    static void run(Trial trial) throws Exception {
        List<Part> parts = Schedules.whole();
        List<Part> chosen = trial.whole() ? parts : parts.subList(0, SMALL_PARTS);
        Rounds rounds = new Rounds();
        for (int from = 0; from < chosen.size(); from += PARTS_PER_ROUND) {
            List<Part> together = chosen.subList(from, Math.min(chosen.size(), from + PARTS_PER_ROUND));
            rounds.add(trial.round("parts from " + from, () -> explore(trial, together)));
        }
        long states = (long) rounds.sum("states");
        long demanded = trial.whole() ? STATES : STATES / 20;
        trial.demand("at least " + demanded + " different states", states + " states", states >= demanded);
        long broken = (long) rounds.sum("broken");
        trial.demand("no schedule breaks a law", broken + " of " + chosen.size() + " parts did", broken == 0);
    }

    private static Figures explore(Trial trial, List<Part> parts) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Result>> results = new ArrayList<>();
            parts.forEach(part -> results.add(pool.submit(part::run)));
            long states = 0;
            long steps = 0;
            long broken = 0;
            for (int i = 0; i < parts.size(); i++) {
                try {
                    Result result = results.get(i).get();
                    trial.say(parts.get(i).name() + ": " + result.states() + " states, " + result.steps() + " steps");
                    states += result.states();
                    steps += result.steps();
                } catch (ExecutionException e) {
                    trial.say(parts.get(i).name() + ": " + e.getCause());
                    broken++;
                }
            }
            return Figures.of(Map.of("states", states, "steps", steps, "broken", broken));
        } finally {
            pool.shutdownNow();
        }
    }
}
