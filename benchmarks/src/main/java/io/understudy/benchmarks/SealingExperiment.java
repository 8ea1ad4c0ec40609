package io.understudy.benchmarks;

import io.understudy.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the seal costs: coherent requests per second on one of three members, each changing 1 KB of a session, of 64 threads and of one, with a secret
 * beside without, in the same processes, in turn. One thread's rate is one by its latency.
 */
final class SealingExperiment implements Experiment.Procedure {

    private static final int MEMBERS = 3;
    private static final int MANY = 64;

    /** Until then the compiler takes more for what is sealed: there is more to compile. */
    private static final int WARM_UPS = 4;

    private static final int WARM_UP_SECONDS = 4;
    private static final double AT_LEAST = 0.7;
    private static final List<String> MODES = List.of(Requests.SEALED, Requests.PLAIN);
    private static final Duration SETTLE = Duration.ofSeconds(60);

    @Override
    public void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 15 : 5;
        int seconds = trial.whole() ? 5 : 2;
        for (String transport : trial.whole() ? List.of("tcp", "udp") : List.of("tcp")) {
            Rounds measured = new Rounds();
            try (Load load = new Load(trial, transport)) {
                for (int i = 0; i < rounds; i++) {
                    int turn = i;
                    measured.add(trial.round(transport + " " + (i + 1), () -> load.round(turn, seconds)));
                }
            }
            for (int threads : List.of(MANY, 1)) {
                String sealed = figure(Requests.SEALED, threads);
                String plain = figure(Requests.PLAIN, threads);
                double ratio = measured.medianRatio(sealed, plain);
                trial.demand(
                        transport + ", " + threads + " threads: sealed at least " + AT_LEAST + " of plain",
                        String.format(
                                Locale.ROOT,
                                "%.2f (%,.0f/s of %,.0f/s, %.0f and %.0f us each, medians)",
                                ratio,
                                measured.median(sealed),
                                measured.median(plain),
                                1e6 * threads / measured.median(sealed),
                                1e6 * threads / measured.median(plain)),
                        ratio >= AT_LEAST);
            }
            double degraded = measured.sum("degraded");
            trial.demand(transport + ": 0 degraded", (long) degraded + " outcomes not as asked", degraded == 0);
        }
    }

    private static String figure(String mode, int threads) {
        return mode + "." + threads;
    }

    /** The members, started when the first round is to be run. */
    private static final class Load implements AutoCloseable {

        private final Trial trial;
        private final String transport;
        private @Nullable Fleet fleet;

        Load(Trial trial, String transport) {
            this.trial = trial;
            this.transport = transport;
        }

        private Fleet fleet() throws Exception {
            Fleet running = fleet;
            if (running == null) {
                running = Fleet.start(
                        MEMBERS,
                        List.of("-Xms768m", "-Xmx768m"),
                        Requests.class,
                        List.of(transport, Requests.SEALED),
                        trial.results().resolve("sealing-" + transport));
                fleet = running;
                Fleet started = running;
                Await.until(
                        SETTLE,
                        () -> "members are not ready",
                        () -> started.everywhere("true", "joined", String.valueOf(MEMBERS)));
                for (int i = 0; i < WARM_UPS; i++) {
                    for (String mode : MODES) {
                        load(running, mode, MANY, WARM_UP_SECONDS);
                    }
                }
            }
            return running;
        }

        Figures round(int turn, int seconds) throws Exception {
            Fleet running = fleet();
            Map<String, Double> figures = new TreeMap<>();
            double degraded = 0;
            for (int threads : List.of(MANY, 1)) {
                for (int i = 0; i < MODES.size(); i++) {
                    String mode = MODES.get((turn + i) % MODES.size());
                    double[] rateAndOther = load(running, mode, threads, seconds);
                    figures.put(figure(mode, threads), Math.rint(rateAndOther[0]));
                    degraded += rateAndOther[1];
                }
            }
            figures.put("degraded", degraded);
            return Figures.of(figures);
        }

        /** Requests per second, and responses whose outcome was not the one asked for. */
        private static double[] load(Fleet fleet, String mode, int threads, int seconds) throws Exception {
            String[] words = fleet.ask(0, "load", mode, String.valueOf(threads), String.valueOf(seconds))
                    .split(" ", -1);
            double elapsed = (System.nanoTime() - Long.parseLong(words[0])) / 1e9;
            double requests = Double.parseDouble(words[1]);
            return new double[] {requests / elapsed, requests - Double.parseDouble(words[2])};
        }

        @Override
        public void close() throws IOException {
            if (fleet != null) {
                fleet.close();
            }
        }
    }
}
