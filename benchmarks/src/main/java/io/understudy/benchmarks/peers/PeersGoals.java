package io.understudy.benchmarks.peers;

import io.understudy.benchmarks.figures.Ratios.Interval;
import io.understudy.benchmarks.peers.client.Requests;
import io.understudy.benchmarks.peers.node.Product;
import io.understudy.benchmarks.trial.Trial;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What Understudy is to reach in {@link PeersExperiment}, the same on both containers, and what it does not fall below:
 * what it reached on two processors, less what runs differ by.
 */
final class PeersGoals {

    private static final String REQUESTS = "requests";
    private static final String CPU = "cpu-us";

    /** A figure below this share of a peer's is a failure. */
    private static final double NEARLY = 0.75;

    private static final double ALLOCATED_KB = 5;

    private static final double MOST_ALLOCATED_KB = 8;

    /** A bound for a ratio to the container without replication, after a warm-up. */
    private record Goal(
            boolean coherent,
            int warmUp,
            Requests requests,
            String figure,
            boolean atLeast,
            double goal,
            double floor) {

        static Goal rate(boolean coherent, int warmUp, Requests requests, double goal, double floor) {
            return new Goal(coherent, warmUp, requests, REQUESTS, true, goal, floor);
        }

        static Goal cpu(boolean coherent, int warmUp, double goal, double floor) {
            return new Goal(coherent, warmUp, Requests.CHANGES, CPU, false, goal, floor);
        }

        String what() {
            return figure.equals(CPU) ? "processor time" : "requests/s";
        }

        boolean met(double value, double bound) {
            return atLeast ? value >= bound : value <= bound;
        }
    }

    private static final List<Goal> GOALS = List.of(
            Goal.rate(false, 45, Requests.CHANGES, 0.58, 0.50),
            Goal.cpu(false, 45, 2.6, 2.6),
            Goal.rate(true, 45, Requests.CHANGES, 0.42, 0.37),
            Goal.cpu(true, 45, 3.2, 3.3),
            Goal.rate(false, 120, Requests.CHANGES, 0.68, 0.52),
            Goal.cpu(false, 120, 1.9, 2.3),
            Goal.rate(true, 120, Requests.CHANGES, 0.50, 0.38),
            Goal.cpu(true, 120, 2.5, 3.2),
            Goal.rate(false, 120, Requests.STRINGS, 0.95, 0.72),
            Goal.rate(true, 120, Requests.STRINGS, 0.95, 0.72),
            Goal.rate(false, 120, Requests.CART, 0.85, 0.55),
            Goal.rate(true, 120, Requests.CART, 0.85, 0.55));

    private final Trial trial;
    private final int warmUp;
    private final Workload workload;
    private final String measured;

    /** @param measured what the ratios are of, as the output names it */
    PeersGoals(Trial trial, int warmUp, Workload workload, String measured) {
        this.trial = trial;
        this.warmUp = warmUp;
        this.workload = workload;
        this.measured = measured;
    }

    /** @param ratios of the products of a container, by figure */
    void judge(Map<Product, Map<String, Interval>> ratios) {
        if (workload.sessions() != PeersExperiment.BASE.sessions()) {
            return;
        }
        ratios.keySet().stream()
                .filter(Product::understudy)
                .forEach(product -> GOALS.stream()
                        .filter(goal -> goal.coherent() == product.coherent()
                                && goal.warmUp() == warmUp
                                && goal.requests() == workload.requests())
                        .forEach(goal -> judge(goal, product, ratios)));
    }

    /** @param kilobytes that the node with the clients allocates for a request beyond the container's */
    void allocated(Product product, double kilobytes) {
        if (product.understudy() && warmUp > 0 && workload.equals(PeersExperiment.BASE)) {
            trial.goal(
                    String.format(
                            Locale.ROOT,
                            "%s: the serving node allocates <= %.0f KB for a request beyond the container's",
                            name(product),
                            ALLOCATED_KB),
                    String.format(Locale.ROOT, "%.2f KB", kilobytes),
                    kilobytes <= ALLOCATED_KB,
                    MOST_ALLOCATED_KB,
                    kilobytes <= MOST_ALLOCATED_KB);
        }
    }

    private void judge(Goal goal, Product product, Map<Product, Map<String, Interval>> ratios) {
        Interval own = of(ratios, product, goal.figure());
        trial.goal(
                String.format(
                        Locale.ROOT,
                        "%s: %s %s %.2f of the container's without replication",
                        name(product),
                        goal.what(),
                        goal.atLeast() ? ">=" : "<=",
                        goal.goal()),
                own.toString(),
                goal.met(own.median(), goal.goal()),
                goal.floor(),
                goal.met(own.median(), goal.floor()));
        ratios.keySet().stream()
                .filter(peer -> peer.replicates() && !peer.understudy())
                .forEach(peer -> beside(goal, product, own, peer, of(ratios, peer, goal.figure())));
    }

    private void beside(Goal goal, Product product, Interval own, Product peer, Interval other) {
        double floor = other.median() * (goal.atLeast() ? NEARLY : 1 / NEARLY);
        trial.goal(
                name(product) + ": " + goal.what() + ", ahead of " + peer.label(),
                own + " beside " + other,
                goal.met(own.median(), other.median()),
                floor,
                goal.met(own.median(), floor));
    }

    private String name(Product product) {
        return measured + ", " + product.label();
    }

    private static Interval of(Map<Product, Map<String, Interval>> ratios, Product product, String figure) {
        return Objects.requireNonNull(
                Objects.requireNonNull(ratios.get(product)).get(figure));
    }
}
