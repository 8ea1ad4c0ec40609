package io.understudy.benchmarks.exploration;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.faultpoints.FaultSeed;
import io.understudy.testkit.faultpoints.SweepPart;
import io.understudy.testkit.faultsweep.PointedSweep;
import io.understudy.testkit.faultsweep.Scenario;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * Each allocation of a node's code, and each call between its parts, throws once while the cluster is at something. A
 * seed chooses what it throws, and whether at its first arrival, its second or a later one. Then the cluster has to
 * answer, to hold what it acknowledged, and to hold nothing else: no request, lock, claim, change at risk, thread, file or
 * credit. Each scenario is a round for each part of the places.
 */
public final class Faults {

    private static final int PARTS = 8;

    /** The small experiment does one part of so many. */
    private static final int PARTS_OF_SMALL = 80;

    /** Three quarters of the places that all scenarios have together. */
    private static final long LEAST_THROWN = 2000;

    /** The longest time for one part of one scenario; places beyond it are left out. */
    private static final long SECONDS = 400;

    private Faults() {}

    public static void run(Trial trial) throws Exception {
        LogManager.getLogManager().reset(); // Each fault that is survived is logged.
        Logger.getLogger("").setLevel(Level.OFF);
        // Kept, so that a run that goes on with the rest on another day has the same faults.
        FaultSeed seed = new FaultSeed((long) trial.round(
                        "seed",
                        () -> Figures.of(Map.of("seed", FaultSeed.given().seed())))
                .get("seed"));
        trial.say("places have their faults by the seed of the day; to repeat it: " + seed);
        Figures sum = Figures.of(Map.of());
        for (Scenario scenario : Scenario.values()) {
            for (int part = 0; part < (trial.whole() ? PARTS : 1); part++) {
                SweepPart swept = trial.whole() ? new SweepPart(part, PARTS, seed.seed()) : seed.part(PARTS_OF_SMALL);
                sum = sum.plus(trial.round(scenario + " " + (part + 1), () -> sweep(trial, scenario, swept)));
            }
        }
        long least = trial.whole() ? LEAST_THROWN : LEAST_THROWN / PARTS_OF_SMALL / 2;
        trial.demand(
                "something is thrown in " + least + " runs at least",
                sum.get("thrown") + " of " + sum.get("runs"),
                sum.get("thrown") >= least);
        trial.demand(
                "something is thrown in nine runs of ten at places that all runs pass",
                sum.get("steady_thrown") + " of " + sum.get("steady"),
                sum.get("steady_thrown") * 10 >= sum.get("steady") * 9);
        // A slow machine passes places of second attempts and of late answers, not in each run.
        trial.demand(
                "half of the runs at least are at such places",
                sum.get("steady") + " of " + sum.get("runs"),
                sum.get("steady") * 2 >= sum.get("runs"));
        trial.demand(
                "no fault breaks anything",
                sum.get("broken") + " of " + sum.get("runs") + " runs",
                sum.get("broken") == 0);
        trial.floor("no place is left out for want of time", sum.get("left") + " places", sum.get("left") == 0);
    }

    private static Figures sweep(Trial trial, Scenario scenario, SweepPart part) throws Exception {
        AtomicLong broken = new AtomicLong();
        Consumer<String> told = line -> {
            broken.incrementAndGet();
            trial.say("broken: " + line);
        };
        Consumer<String> missed = line -> trial.say("nothing thrown: " + line);
        Map<String, Number> figures = new HashMap<>(PointedSweep.part(scenario, part, SECONDS, told, missed));
        figures.put("broken", broken.get());
        return Figures.of(figures);
    }
}
