package io.understudy.benchmarks.speed;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.process.Fleet;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Coherent cost: requests per second of 64 threads on one of three members, each changing 1 KB of a session, when every
 * response waits for the other members' acknowledgements, beside when none does. Time counts until every change has
 * reached every member, and changes that were joined before they were sent count as one, so that what is sent later, or
 * never, is not free.
 */
public final class CostExperiment implements Experiment.Procedure {

    private static final int MEMBERS = 3;
    private static final int THREADS = 64;
    private static final int WARM_UP_SECONDS = 5;
    private static final double AT_LEAST = 0.35;
    private static final String COHERENT = Requests.COHERENT;
    private static final String INCOHERENT = Requests.INCOHERENT;
    private static final List<String> MODES = List.of(COHERENT, INCOHERENT);
    private static final Duration SETTLE = Duration.ofSeconds(60);

    @Override
    public void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 15 : 5;
        int seconds = trial.whole() ? 5 : 2;
        for (String transport : List.of("tcp", "udp")) {
            Rounds measured = new Rounds();
            try (Load load = new Load(trial, transport)) {
                for (int i = 0; i < rounds; i++) {
                    int turn = i;
                    measured.add(trial.round(transport + " " + (i + 1), () -> load.round(turn, seconds)));
                }
            }
            double ratio = measured.medianRatio(COHERENT, INCOHERENT);
            trial.floor(
                    transport + ": coherent at least " + AT_LEAST + " of incoherent",
                    String.format(
                            Locale.ROOT,
                            "%.2f (%,.0f/s of %,.0f/s, medians)",
                            ratio,
                            measured.median(COHERENT),
                            measured.median(INCOHERENT)),
                    ratio >= AT_LEAST);
            double degraded = measured.sum("degraded");
            trial.floor(transport + ": 0 degraded", (long) degraded + " outcomes not as asked", degraded == 0);
        }
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
                        List.of(transport),
                        trial.results().resolve("cost-" + transport));
                fleet = running;
                running.awaitJoined(MEMBERS);
                for (String mode : MODES) {
                    load(running, mode, WARM_UP_SECONDS);
                }
            }
            return running;
        }

        Figures round(int turn, int seconds) throws Exception {
            Fleet running = fleet();
            Map<String, Double> figures = new TreeMap<>();
            double degraded = 0;
            for (int i = 0; i < MODES.size(); i++) {
                String mode = MODES.get((turn + i) % MODES.size());
                double[] rateAndOther = load(running, mode, seconds);
                figures.put(mode, Math.rint(rateAndOther[0]));
                degraded += rateAndOther[1];
            }
            figures.put("degraded", degraded);
            return Figures.of(figures);
        }

        /**
         * Requests per second whose change was sent for itself, and responses whose outcome was not the one asked
         * for.
         */
        private static double[] load(Fleet fleet, String mode, int seconds) throws Exception {
            long sentBefore = Long.parseLong(fleet.ask(0, "sent", mode));
            String[] words = fleet.ask(0, "load", mode, String.valueOf(THREADS), String.valueOf(seconds))
                    .split(" ", -1);
            Await.until(
                    SETTLE,
                    () -> "not all arrived",
                    () -> fleet.answers("settled", mode).get(0).equals("true"));
            double elapsed = (System.nanoTime() - Long.parseLong(words[0])) / 1e9;
            double requests = Double.parseDouble(words[1]);
            double sent = Long.parseLong(fleet.ask(0, "sent", mode)) - sentBefore;
            return new double[] {sent / elapsed, requests - Double.parseDouble(words[2])};
        }

        @Override
        public void close() throws IOException {
            if (fleet != null) {
                fleet.close();
            }
        }
    }
}
