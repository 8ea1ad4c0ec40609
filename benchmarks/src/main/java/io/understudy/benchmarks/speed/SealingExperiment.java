package io.understudy.benchmarks.speed;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.process.Fleet;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.KeyTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the seal costs, and TLS over TCP: coherent requests per second on one of three members, each changing 1 KB of a
 * session, of 64 threads and of one. Nodes with a secret, with certificates, and with neither run in the same
 * processes, in turn. One thread's rate is one by its latency.
 */
public final class SealingExperiment implements Experiment.Procedure {

    private static final int MEMBERS = 3;
    private static final int MANY = 64;

    /** Until then the compiler takes more for what is sealed: there is more to compile. */
    private static final int WARM_UPS = 4;

    private static final int WARM_UP_SECONDS = 4;
    private static final double AT_LEAST = 0.7;

    /** TLS divides what the seal leaves whole, a bundle of 64 KB, into records of 16. */
    private static final double TLS_AT_LEAST = 0.5;

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
                for (String mode : modes(transport)) {
                    if (!mode.equals(Requests.PLAIN)) {
                        compare(trial, measured, transport, mode, threads);
                    }
                }
            }
            double degraded = measured.sum("degraded");
            trial.floor(transport + ": 0 degraded", (long) degraded + " outcomes not as asked", degraded == 0);
        }
    }

    private static List<String> modes(String transport) {
        return transport.equals("tcp")
                ? List.of(Requests.SEALED, Requests.TLS, Requests.PLAIN)
                : List.of(Requests.SEALED, Requests.PLAIN);
    }

    private static void compare(Trial trial, Rounds measured, String transport, String mode, int threads) {
        double least = mode.equals(Requests.TLS) ? TLS_AT_LEAST : AT_LEAST;
        String shielded = figure(mode, threads);
        String plain = figure(Requests.PLAIN, threads);
        double ratio = measured.medianRatio(shielded, plain);
        trial.floor(
                transport + ", " + threads + " threads: " + mode + " at least " + least + " of plain",
                String.format(
                        Locale.ROOT,
                        "%.2f (%,.0f/s of %,.0f/s, %.0f and %.0f us each, medians)",
                        ratio,
                        measured.median(shielded),
                        measured.median(plain),
                        1e6 * threads / measured.median(shielded),
                        1e6 * threads / measured.median(plain)),
                ratio >= least);
    }

    private static String figure(String mode, int threads) {
        return mode + "." + threads;
    }

    /** The members, started when the first round is to be run. */
    private static final class Load implements AutoCloseable {

        private final Trial trial;
        private final String transport;
        private final List<String> modes;
        private final Path certificates;
        private @Nullable Fleet fleet;

        Load(Trial trial, String transport) throws IOException {
            this.trial = trial;
            this.transport = transport;
            this.modes = modes(transport);
            this.certificates = Files.createTempDirectory("certificates");
        }

        private Fleet fleet() throws Exception {
            Fleet running = fleet;
            if (running == null) {
                KeyTool keys = new KeyTool(certificates);
                running = Fleet.start(
                        MEMBERS,
                        List.of("-Xms768m", "-Xmx768m"),
                        Requests.class,
                        List.of(
                                transport,
                                String.join(",", modes),
                                keys.node("a", "member").toString(),
                                keys.trust("a").toString()),
                        trial.results().resolve("sealing-" + transport));
                fleet = running;
                running.awaitJoined(MEMBERS);
                for (int i = 0; i < WARM_UPS; i++) {
                    for (String mode : modes) {
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
                for (int i = 0; i < modes.size(); i++) {
                    String mode = modes.get((turn + i) % modes.size());
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
            try (Stream<Path> files = Files.list(certificates)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(certificates);
        }
    }
}
