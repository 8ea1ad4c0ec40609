package io.understudy.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** More sessions than a node's heap holds, and what a session takes beside its values. */
final class FullMemory {

    private static final int BYTES_PER_SESSION = 400;
    private static final int BYTES_PER_ATTRIBUTE = 64;
    private static final int MAX_GC_PERCENT = 20;

    /** For the node, which is alone. */
    private static final int PORT = 7790;

    private static final String HEAP_OF_SESSION = "io.understudy.store.HeapPerSession";

    private FullMemory() {}

    static void run(Trial trial) throws Exception {
        for (int attributes : new int[] {1, 10}) {
            int limit = BYTES_PER_SESSION + attributes * BYTES_PER_ATTRIBUTE;
            double bytes = trial.round("heap of a session with " + attributes, () -> heap(trial, attributes))
                    .get("bytes");
            trial.floor(
                    "beside the values of " + attributes + " attribute(s) a session takes at most " + limit + " bytes",
                    bytes + " bytes",
                    bytes > 0 && bytes <= limit);
        }
        // Small: the same share of its heap, with half of the sessions.
        int sessions = trial.whole() ? 100_000 : 50_000;
        int megabytes = trial.whole() ? 256 : 128;
        int rounds = trial.whole() ? 1 : 3;
        double[] percents = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            Figures full = trial.round("full " + (round + 1), () -> full(trial, sessions, megabytes));
            demands(trial, full, sessions, megabytes);
            percents[round] = 100 * full.get("gc_ms") / (full.get("fill_ms") + full.get("read_ms"));
        }
        // Small, it takes seconds, in which others may have the machine: the median counts.
        Arrays.sort(percents);
        double percent = percents[rounds / 2];
        trial.floor(
                "less than " + MAX_GC_PERCENT + " % of the time is garbage collection",
                String.format("%.1f %%", percent),
                percent < MAX_GC_PERCENT);
    }

    private static void demands(Trial trial, Figures full, int sessions, int megabytes) {
        trial.demand(
                sessions + " sessions of 4 KB at -Xmx" + megabytes + "m: all held, each with the right content",
                full.get("held") + " held, " + full.get("wrong") + " wrong, " + full.get("spilled")
                        + " went to disk, without an OutOfMemoryError",
                full.get("held") == sessions && full.get("wrong") == 0 && full.get("spilled") > 0);
        trial.demand("no error of the disk", full.get("spill_errors") + "", full.get("spill_errors") == 0);
    }

    private static Figures heap(Trial trial, int attributes) throws Exception {
        String output = output(
                trial,
                "heap-" + attributes,
                60,
                List.of("-Xmx128m", "-XX:+UseSerialGC"),
                List.of(HEAP_OF_SESSION, String.valueOf(attributes)));
        return Figures.of(Map.of("bytes", Long.parseLong(found("heap beside values: (\\d+)", output))));
    }

    private static Figures full(Trial trial, int sessions, int megabytes) throws Exception {
        Path directory = trial.results().resolve("memory-spill");
        String output = output(
                trial,
                "memory-node",
                600,
                List.of("-Xmx" + megabytes + "m", "-XX:+ExitOnOutOfMemoryError", "-Djava.net.preferIPv4Stack=true"),
                List.of(FullNode.class.getName(), String.valueOf(sessions), directory.toString(), "" + PORT));
        return Figures.parse(found("figures: (.*)", output));
    }

    static String found(String pattern, String output) {
        Matcher line = Pattern.compile(pattern).matcher(output);
        if (!line.find()) {
            throw new IllegalStateException("no '" + pattern + "' in: " + output);
        }
        return line.group(1);
    }

    /** What the process says; its log is beside the others. */
    static String output(Trial trial, String name, int seconds, List<String> options, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.addAll(arguments);
        Files.createDirectories(trial.results());
        Path log = trial.results().resolve(name + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " did not end within " + seconds + " s, see " + log);
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(name + " ended with " + process.exitValue() + ", see " + log);
            }
            return Files.readString(log, StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }
}
