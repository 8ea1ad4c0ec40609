package io.understudy.benchmarks.peers;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Plot;
import io.understudy.benchmarks.figures.Ratios;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.peers.node.Product;
import io.understudy.benchmarks.peers.node.Product.Container;
import io.understudy.benchmarks.trial.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What {@link PeersExperiment} has measured, as tables, demands, CSV and plot. */
final class PeersReport {

    private static final List<String> FIGURES = List.of(
            "requests",
            "cpu-us",
            "compiler-us",
            "gc-us",
            "switches",
            "allocated",
            "allocated-serving",
            "p50-us",
            "p99-us",
            "wire");

    /** Nothing of a reference, or next to nothing: no base of a ratio. */
    private static final Set<String> WITHOUT_RATIO = Set.of("compiler-us", "gc-us", "wire");

    private static final String HEAD = "container,product,warm-up,sessions,requests,figure,median,ratio,low,high";

    private final Trial trial;
    private final Map<Case, List<Figures>> cases = new LinkedHashMap<>();
    private final List<String> csv = new ArrayList<>(List.of(HEAD));
    private final Plot plot = new Plot("seconds under load before");

    /** What was measured in several rounds. */
    private record Case(Container container, int warmUp, Workload workload) {
        @Override
        public String toString() {
            return container.label() + ", " + (warmUp == 0 ? "fresh" : "after " + warmUp + " s") + ", " + workload;
        }
    }

    PeersReport(Trial trial) {
        this.trial = trial;
    }

    void add(Container container, int warmUp, Workload workload, Figures round) {
        cases.computeIfAbsent(new Case(container, warmUp, workload), any -> new ArrayList<>())
                .add(round);
    }

    /** Prints the tables of a container when its last round is there, and demands that no request failed. */
    void speed(Container container) {
        cases.forEach((measured, figures) -> {
            if (measured.container() == container) {
                table(measured, figures);
            }
        });
    }

    /** Writes the CSV and the plot. */
    void write() throws IOException {
        Path table = trial.results().resolve("peers.csv");
        Files.write(table, csv);
        Path drawn = trial.results().resolve("peers.svg");
        plot.write(drawn);
        trial.say("written: " + table + " and " + drawn);
    }

    private void table(Case measured, List<Figures> figures) {
        trial.say("");
        trial.say(measured + "; medians of " + figures.size()
                + " rounds, and ratios to the container without replication:");
        trial.say(
                "| product | requests/s | ratio | CPU us | ratio | of it compiler us | of it GC us | switches | KB allocated | of it by the serving node | p50 ms | p99 ms | bytes between nodes |");
        trial.say("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        Product reference = measured.container().products().get(0);
        Rounds rounds = new Rounds();
        figures.forEach(rounds::add);
        Map<Product, Map<String, Ratios.Interval>> ratios = new EnumMap<>(Product.class);
        for (Product product : measured.container().products()) {
            Map<String, Ratios.Interval> ofProduct = new LinkedHashMap<>();
            for (String figure : FIGURES) {
                ofProduct.put(figure, ratio(figures, product, reference, figure));
                record(measured, product, figure, median(rounds, product, figure), ofProduct.get(figure));
            }
            ratios.put(product, ofProduct);
            trial.say(String.format(
                    Locale.ROOT,
                    "| %s | %,.0f | %s | %.0f | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %,.0f |",
                    product.label(),
                    median(rounds, product, "requests"),
                    ofProduct.get("requests"),
                    median(rounds, product, "cpu-us"),
                    ofProduct.get("cpu-us"),
                    median(rounds, product, "compiler-us"),
                    median(rounds, product, "gc-us"),
                    median(rounds, product, "switches"),
                    median(rounds, product, "allocated") / 1024,
                    median(rounds, product, "allocated-serving") / 1024,
                    median(rounds, product, "p50-us") / 1000,
                    median(rounds, product, "p99-us") / 1000,
                    median(rounds, product, "wire")));
            draw(measured, product, ofProduct);
        }
        for (Product product : measured.container().products()) {
            double broken = rounds.sum(product.word() + ".broken");
            trial.demand(measured + ", " + product.label() + ": 0 connections broke", (long) broken + "", broken == 0);
        }
        PeersGoals goals = new PeersGoals(trial, measured.warmUp(), measured.workload(), measured.toString());
        goals.judge(ratios);
        double ofReference = median(rounds, reference, "allocated-serving");
        for (Product product : measured.container().products()) {
            goals.allocated(product, (median(rounds, product, "allocated-serving") - ofReference) / 1024);
        }
    }

    private static double median(Rounds rounds, Product product, String figure) {
        return rounds.median(product.word() + "." + figure);
    }

    private static Ratios.Interval ratio(List<Figures> rounds, Product product, Product reference, String figure) {
        Ratios ratios = new Ratios();
        rounds.forEach(round ->
                ratios.add(round.get(product.word() + "." + figure), round.get(reference.word() + "." + figure)));
        return ratios.interval();
    }

    private void draw(Case measured, Product product, Map<String, Ratios.Interval> ratios) {
        if (product.replicates() && measured.workload().equals(PeersExperiment.BASE)) {
            ratios.forEach((figure, ratio) -> {
                if (figure.equals("requests") || figure.equals("cpu-us")) {
                    String title = measured.container().label() + ": "
                            + (figure.equals("requests") ? "requests per second" : "processor time per request")
                            + ", ratio";
                    plot.add(title, product.label(), measured.warmUp(), ratio.median());
                }
            });
        }
    }

    private void record(Case measured, Product product, String figure, double median, Ratios.Interval ratio) {
        String ratios = WITHOUT_RATIO.contains(figure)
                ? ",,,"
                : String.format(Locale.ROOT, ",%.3f,%.3f,%.3f", ratio.median(), ratio.low(), ratio.high());
        line(
                measured.container(),
                product,
                String.valueOf(measured.warmUp()),
                measured.workload(),
                figure,
                median,
                ratios);
    }

    private void line(
            Container container,
            Product product,
            String warmUp,
            Workload workload,
            String figure,
            double value,
            String ratios) {
        csv.add(String.join(
                        ",",
                        container.label(),
                        "\"" + product.label() + "\"",
                        warmUp,
                        String.valueOf(workload.sessions()),
                        workload.requests().label(),
                        figure,
                        String.format(Locale.ROOT, "%.4g", value))
                + ratios);
    }

    /** Of a round of {@link Contest#visibility}. */
    void visibility(Container container, Workload workload, Figures figures) {
        trial.say("");
        trial.say(container.label() + ", " + PeersExperiment.PER_SECOND + " changes/s, " + workload + ":");
        trial.say(
                "| product | changes | p50 ms | p99 ms | lag p50 ms | lag p99 ms | stale first reads | not after 1 s | incomplete sessions |");
        trial.say("|---|---|---|---|---|---|---|---|---|");
        for (Product product : container.products()) {
            if (!product.visible()) {
                continue;
            }
            for (String figure : List.of(
                    "p50-us", "p99-us", "lag-p50-us", "lag-p99-us", "stale", "never", "written", "incomplete")) {
                line(container, product, "", workload, "paced-" + figure, of(figures, product, figure), ",,,");
            }
            trial.say(String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f | %.0f |",
                    product.label(),
                    of(figures, product, "written"),
                    of(figures, product, "p50-us") / 1000,
                    of(figures, product, "p99-us") / 1000,
                    of(figures, product, "lag-p50-us") / 1000,
                    of(figures, product, "lag-p99-us") / 1000,
                    of(figures, product, "stale"),
                    of(figures, product, "never"),
                    of(figures, product, "incomplete")));
            if (product.coherent()) {
                none(container, workload, product, figures, "stale", "stale first reads");
            }
            if (product.understudy()) {
                none(container, workload, product, figures, "incomplete", "incomplete sessions");
            }
        }
    }

    private void none(
            Container container, Workload workload, Product product, Figures figures, String figure, String what) {
        double found = of(figures, product, figure);
        trial.demand(
                container.label() + ", " + workload + ", " + product.label() + ": 0 " + what,
                String.valueOf((long) found),
                found == 0);
    }

    private static double of(Figures figures, Product product, String figure) {
        return figures.get(product.word() + "." + figure);
    }

    /** Of the sum of rounds of {@link Contest#kill}. */
    void kills(Container container, Figures figures) {
        trial.say("");
        trial.say(container.label() + ", the node that is written to is killed under load:");
        trial.say("| product | changes acknowledged under load | lost | sessions missing | incomplete sessions |");
        trial.say("|---|---|---|---|---|");
        for (Product product : container.products()) {
            if (!product.visible()) {
                continue;
            }
            for (String figure : List.of("answered", "lost", "missing", "incomplete")) {
                line(
                        container,
                        product,
                        "",
                        PeersExperiment.BASE,
                        "kill-" + figure,
                        of(figures, product, figure),
                        ",,,");
            }
            trial.say(String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %.0f | %.0f | %.0f |",
                    product.label(),
                    of(figures, product, "answered"),
                    of(figures, product, "lost"),
                    of(figures, product, "missing"),
                    of(figures, product, "incomplete")));
            if (product.coherent()) {
                none(container, PeersExperiment.BASE, product, figures, "lost", "acknowledged changes lost by SIGKILL");
            }
        }
    }
}
