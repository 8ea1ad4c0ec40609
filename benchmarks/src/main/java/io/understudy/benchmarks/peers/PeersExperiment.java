package io.understudy.benchmarks.peers;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.peers.client.Requests;
import io.understudy.benchmarks.peers.node.Product.Container;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Trial;
import java.util.List;
import java.util.Map;

/**
 * Understudy beside the products that replicate sessions in the same containers, each as it is usually configured, and
 * beside the containers without replication. There are two nodes with 512 MB, 16 connections, and sessions of 10
 * attributes of 1 KB, one of which a request changes; in two cases requests only read. All products of a container run at the same time, and one after
 * the other is under load for a slice; ratios are of slices of the same round.
 */
public final class PeersExperiment implements Experiment.Procedure {

    private static final int FEW = 1_000;
    private static final int MANY = 10_000;
    /** The sessions in the plot, and on fresh nodes. */
    static final Workload BASE = new Workload(FEW, Requests.CHANGES);

    private static final Workload LENGTH_SET = new Workload(FEW, Requests.CHANGES_LENGTH);

    /** Under such load before reads are measured. The nodes have been under changes for long then. */
    private static final int READS_WARM_UP = 10;

    /** At which the lag is measured. */
    static final int PER_SECOND = 300;

    /**
     * How much is measured.
     *
     * @param freshStarts rounds right after the start of new JVMs
     * @param warmUps seconds under load, and what is measured after them
     */
    private record Plan(
            int freshStarts,
            double freshSeconds,
            Map<Integer, List<Workload>> warmUps,
            int rounds,
            double seconds,
            int visibleSeconds,
            int kills,
            int killWarmUp) {}

    private static final Workload MANY_SESSIONS = new Workload(MANY, Requests.CHANGES);
    private static final Workload STRINGS = new Workload(FEW, Requests.STRINGS);
    private static final Workload CART = new Workload(FEW, Requests.CART);

    private static final Plan SMALL = new Plan(1, 1, Map.of(3, List.of(BASE, CART)), 3, 1, 1, 1, 0);

    private static final List<Workload> ALL = List.of(BASE, LENGTH_SET, STRINGS, CART, MANY_SESSIONS);

    private static final Plan WHOLE = new Plan(3, 5, Map.of(45, List.of(BASE), 120, ALL), 7, 2, 10, 3, 5);

    @Override
    public void run(Trial trial) throws Exception {
        Plan plan = trial.whole() ? WHOLE : SMALL;
        PeersReport report = new PeersReport(trial);
        for (Container container : Container.values()) {
            try (Contest contest = new Contest(trial, container)) {
                speed(trial, plan, container, contest, report);
                report.speed(container);
                visibility(trial, plan, container, contest, report);
                kills(trial, plan, container, contest, report);
            }
        }
        report.write();
    }

    private static void speed(Trial trial, Plan plan, Container container, Contest contest, PeersReport report)
            throws Exception {
        for (int i = 0; i < plan.freshStarts(); i++) {
            int turn = i;
            report.add(container, 0, BASE, trial.round(name(container, "fresh", BASE, turn), () -> {
                contest.renew();
                contest.warm(BASE, 0);
                return contest.round(turn, BASE, plan.freshSeconds());
            }));
        }
        for (int warmUp : plan.warmUps().keySet().stream().sorted().toList()) {
            for (Workload workload : plan.warmUps().getOrDefault(warmUp, List.of())) {
                for (int i = 0; i < plan.rounds(); i++) {
                    int turn = i;
                    String name = name(container, "after " + warmUp + " s", workload, turn);
                    report.add(container, warmUp, workload, trial.round(name, () -> {
                        contest.warm(BASE, warmUp);
                        contest.warm(workload, workload.requests().reads() ? Math.min(READS_WARM_UP, warmUp) : warmUp);
                        return contest.round(turn, workload, plan.seconds());
                    }));
                }
            }
        }
    }

    private static String name(Container container, String when, Workload workload, int turn) {
        return container.label() + ", " + when + ", " + workload + ", round " + (turn + 1);
    }

    private static void visibility(Trial trial, Plan plan, Container container, Contest contest, PeersReport report)
            throws Exception {
        int warmUp = plan.warmUps().keySet().stream().max(Integer::compare).orElseThrow();
        for (Workload workload : List.of(BASE, LENGTH_SET)) {
            report.visibility(container, workload, trial.round(container.label() + ", visibility, " + workload, () -> {
                contest.warm(workload, warmUp);
                return contest.visibility(workload, plan.visibleSeconds(), PER_SECOND);
            }));
        }
    }

    private static void kills(Trial trial, Plan plan, Container container, Contest contest, PeersReport report)
            throws Exception {
        Figures sum = trial.rounds(container.label() + ", kill", plan.kills(), turn -> {
            contest.warm(BASE, plan.killWarmUp());
            return contest.kill(turn, BASE, plan.seconds());
        });
        report.kills(container, sum);
    }
}
