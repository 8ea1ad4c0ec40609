package io.understudy.benchmarks;

import io.understudy.contract.ContainerSweep;
import io.understudy.contract.SweptRequest;
import io.understudy.testkit.faultpoints.PointedLoader;
import io.understudy.testkit.faultsweep.FaultSweep;
import io.understudy.testkit.faultsweep.Scenario;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * Each allocation of a node's code, and each call between its parts, throws once while the cluster is at something; so does
 * each allocation of an adapter's code, and each call that it makes, while a container answers a request. Then the cluster has to answer,
 * to hold what it acknowledged, and to hold nothing else: no request, lock, claim, change at risk or thread. Each scenario
 * is a round for each part of the places.
 */
final class Faults {

    private static final int PARTS = 8;

    /** The small experiment does one part of so many. */
    private static final int PARTS_OF_SMALL = 80;

    /** The same for the places of an adapter, of which a request passes about 100. */
    private static final int PARTS_OF_ADAPTER = 3;

    private static final int PARTS_OF_SMALL_ADAPTER = 30;

    /** The longest time for one part of one scenario; places beyond it are left out. */
    private static final long SECONDS = 60;

    /** The whole experiment fails with more broken runs than this. */
    private static final double MOST_BROKEN = 40;

    private static final Map<String, Number> NONE = Map.of("places", 0, "runs", 0, "thrown", 0, "left", 0, "broken", 0);

    private Faults() {}

    static void run(Trial trial) throws Exception {
        LogManager.getLogManager().reset(); // Each fault that is survived is logged.
        Logger.getLogger("").setLevel(Level.OFF);
        int parts = trial.whole() ? PARTS : 1;
        Figures sum = Figures.of(NONE);
        for (Scenario scenario : Scenario.values()) {
            for (int part = 0; part < parts; part++) {
                int number = part;
                sum = sum.plus(trial.round(
                        scenario + " " + (part + 1),
                        () -> sweep(trial, scenario, number, trial.whole() ? PARTS : PARTS_OF_SMALL)));
            }
        }
        for (FaultyContainer container : FaultyContainer.values()) {
            for (SweptRequest request : SweptRequest.values()) {
                sum = sum.plus(container(trial, container, request));
            }
        }
        trial.demand(
                "something is thrown in nine runs of ten",
                sum.get("thrown") + " of " + sum.get("runs"),
                sum.get("thrown") * 10 >= sum.get("runs") * 9);
        trial.goal(
                "no fault breaks anything",
                sum.get("broken") + " of " + sum.get("runs") + " runs, " + sum.get("left") + " places were left out",
                sum.get("broken") == 0,
                MOST_BROKEN,
                sum.get("broken") <= MOST_BROKEN);
    }

    /** Small is the coherent request alone: the container tier samples all. */
    private static Figures container(Trial trial, FaultyContainer container, SweptRequest request) throws Exception {
        Figures sum = Figures.of(NONE);
        int parts = trial.whole() ? PARTS_OF_ADAPTER : request == SweptRequest.COHERENT ? 1 : 0;
        for (int part = 0; part < parts; part++) {
            int number = part;
            sum = sum.plus(trial.round(
                    container + " " + request + " " + (part + 1),
                    () -> sweep(
                            trial,
                            Class.forName(ContainerSweep.class.getName(), true, new PointedLoader(container.adapter()))
                                    .getMethod(
                                            "sweep",
                                            String.class,
                                            String.class,
                                            int.class,
                                            int.class,
                                            long.class,
                                            Consumer.class),
                            container.container(),
                            request.name(),
                            number,
                            trial.whole() ? PARTS_OF_ADAPTER : PARTS_OF_SMALL_ADAPTER)));
        }
        return sum;
    }

    private static Figures sweep(Trial trial, Scenario scenario, int part, int parts) throws Exception {
        Method sweep = Class.forName(FaultSweep.class.getName(), true, new PointedLoader())
                .getMethod("sweep", String.class, int.class, int.class, long.class, Consumer.class);
        return sweep(trial, sweep, scenario.name(), part, parts);
    }

    /** @param arguments those before the time and what broken runs are told to */
    @SuppressWarnings("unchecked")
    private static Figures sweep(Trial trial, Method sweep, Object... arguments) throws Exception {
        AtomicLong broken = new AtomicLong();
        Consumer<String> told = line -> {
            broken.incrementAndGet();
            trial.say("broken: " + line);
        };
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.add(SECONDS);
        all.add(told);
        Map<String, Number> figures = new HashMap<>((Map<String, Long>) sweep.invoke(null, all.toArray()));
        figures.put("broken", broken.get());
        return Figures.of(figures);
    }
}
