package io.understudy.benchmarks.peers;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.peers.client.Requests;
import io.understudy.benchmarks.peers.node.Product;
import io.understudy.benchmarks.peers.node.Product.Container;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Trial;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How soon after its start a node answers at nine tenths of its own steady rate, beside the container without
 * replication. The time begins with the start of all JVMs. The load begins when the node is ready, and goes on without
 * a pause. The steady rate is the median of the last quarter of its seconds.
 */
public final class StartExperiment implements Experiment.Procedure {

    private static final int SESSIONS = 160;
    private static final double SHARE = 0.9;
    private static final String NINE_TENTHS = "nine-tenths-s";

    /** A rate is that of so many seconds: the nodes and the client share two processors, and single seconds differ. */
    private static final int TOGETHER = 3;

    private static final double MOST_MORE_SECONDS = 10;

    @Override
    public void run(Trial trial) throws Exception {
        int turns = trial.whole() ? 3 : 1;
        int seconds = trial.whole() ? 60 : 8;
        for (Container container : Container.values()) {
            List<Product> products = container.products().stream()
                    .filter(product -> product.understudy() || !product.replicates())
                    .toList();
            Map<Product, Rounds> rounds = new EnumMap<>(Product.class);
            for (int turn = 1; turn <= turns; turn++) {
                for (Product product : products) {
                    Figures start = trial.round(
                            container.label() + ", " + product.label() + ", start " + turn,
                            () -> start(trial, product, seconds));
                    rounds.computeIfAbsent(product, any -> new Rounds()).add(start);
                }
            }
            report(trial, rounds);
        }
    }

    private static Figures start(Trial trial, Product product, int seconds) throws Exception {
        long began = System.nanoTime();
        try (ProductCluster cluster = ProductCluster.start(trial, product)) {
            double ready = (System.nanoTime() - began) / 1e9;
            cluster.fill(new Workload(SESSIONS, Requests.CHANGES));
            Figures rates = cluster.start(SESSIONS, seconds);
            List<Double> bySecond = new ArrayList<>();
            for (int second = 0; second < seconds; second++) {
                bySecond.add(rates.get("second-" + second));
            }
            double steady = steady(bySecond);
            if (steady == 0) {
                throw new IllegalStateException(product.label() + " answered nothing in the end: " + rates);
            }
            return Figures.of(Map.of(
                    "broken",
                    rates.get("broken"),
                    "ready-s",
                    ready,
                    "steady",
                    steady,
                    "first",
                    bySecond.get(0),
                    NINE_TENTHS,
                    ready + reached(bySecond, SHARE * steady)));
        }
    }

    private static double steady(List<Double> bySecond) {
        List<Double> last = bySecond.subList(bySecond.size() * 3 / 4, bySecond.size()).stream()
                .sorted()
                .toList();
        return last.get(last.size() / 2);
    }

    /** The first second from which on the next few reach this rate together. */
    static int reached(List<Double> bySecond, double rate) {
        return IntStream.rangeClosed(0, bySecond.size() - TOGETHER)
                .filter(second -> bySecond.subList(second, second + TOGETHER).stream()
                                .mapToDouble(Double::doubleValue)
                                .average()
                                .orElseThrow()
                        >= rate)
                .findFirst()
                .orElse(bySecond.size());
    }

    private static void report(Trial trial, Map<Product, Rounds> rounds) {
        trial.say("");
        trial.say(
                "| product | ready after s | requests in the first second | steady requests/s | nine tenths of it after s |");
        trial.say("|---|---|---|---|---|");
        rounds.forEach((product, starts) -> trial.say(String.format(
                Locale.ROOT,
                "| %s | %.1f | %.0f | %,.0f | %.1f |",
                product.label(),
                starts.median("ready-s"),
                starts.median("first"),
                starts.median("steady"),
                starts.median(NINE_TENTHS))));
        rounds.forEach((product, starts) -> {
            double broken = starts.sum("broken");
            trial.demand(product.label() + ": 0 connections broke", (long) broken + "", broken == 0);
        });
        rounds.forEach((reference, base) -> {
            if (!reference.replicates()) {
                rounds.forEach((product, starts) -> compare(trial, reference, base, product, starts));
            }
        });
    }

    private static void compare(Trial trial, Product reference, Rounds base, Product product, Rounds starts) {
        if (product == reference) {
            return;
        }
        double later = starts.median(NINE_TENTHS) - base.median(NINE_TENTHS);
        trial.floor(
                String.format(
                        Locale.ROOT,
                        "%s: at nine tenths of its rate at most %.0f s after %s",
                        product.label(),
                        MOST_MORE_SECONDS,
                        reference.label()),
                String.format(Locale.ROOT, "%.1f s after", later),
                later <= MOST_MORE_SECONDS);
    }
}
