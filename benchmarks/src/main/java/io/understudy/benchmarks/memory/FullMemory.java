package io.understudy.benchmarks.memory;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.process.ProcessOutput;
import io.understudy.benchmarks.trial.Trial;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** More sessions than a node's heap holds, and what a session takes beside its values. */
public final class FullMemory {

    private static final int BYTES_PER_SESSION = 400;
    private static final int BYTES_PER_ATTRIBUTE = 64;
    private static final int MAX_GC_PERCENT = 20;

    /** For the node, which is alone. */
    private static final int PORT = 7790;

    private static final String HEAP_OF_SESSION = "io.understudy.store.HeapPerSession";

    private FullMemory() {}

    public static void run(Trial trial) throws Exception {
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
        ProcessOutput output = ProcessOutput.of(
                trial,
                "heap-" + attributes,
                60,
                List.of("-Xmx128m", "-XX:+UseSerialGC"),
                List.of(HEAP_OF_SESSION, String.valueOf(attributes)));
        return Figures.of(Map.of("bytes", Long.parseLong(output.found("heap beside values: (\\d+)"))));
    }

    private static Figures full(Trial trial, int sessions, int megabytes) throws Exception {
        Path directory = trial.results().resolve("memory-spill");
        ProcessOutput output = ProcessOutput.of(
                trial,
                "memory-node",
                600,
                List.of("-Xmx" + megabytes + "m", "-XX:+ExitOnOutOfMemoryError", "-Djava.net.preferIPv4Stack=true"),
                List.of(FullNode.class.getName(), String.valueOf(sessions), directory.toString(), "" + PORT));
        return output.figures();
    }
}
