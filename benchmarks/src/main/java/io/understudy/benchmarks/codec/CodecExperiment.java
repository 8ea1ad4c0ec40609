package io.understudy.benchmarks.codec;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Bytes and time that a session's attributes take, beside JDK serialization of the same in the same run; what of it
 * the class filter takes, and what a request that only reads.
 */
public final class CodecExperiment {

    private static final double BYTES = 0.5;

    private static final double FILTER = 0.1;
    private static final double UNCHANGEABLE = 0.2;
    private static final double DETECTION = 1.5;

    private CodecExperiment() {}

    public static void run(Trial trial) throws Exception {
        Figures measured = trial.round("speed", () -> measure(CodecSpeed.class, trial.whole()));
        CodecSpeed codec = new CodecSpeed();
        double bytes = (double) codec.ourBytes() / codec.theirBytes();
        trial.demand(
                "profile and cart with 20 items: at most " + BYTES + " of the bytes of JDK serialization",
                String.format(Locale.ROOT, "%.2f: %,d of %,d", bytes, codec.ourBytes(), codec.theirBytes()),
                bytes <= BYTES);
        boolean later = Runtime.version().feature() >= 25;
        faster(trial, measured, "encode", later ? 2.2 : 3);
        faster(trial, measured, "decode", later ? 4 : 3);
        filter(trial, measured);
        detection(trial, measured);
    }

    private static void filter(Trial trial, Figures codec) throws Exception {
        Figures measured = trial.round("filter", () -> measure(FilterSpeed.class, trial.whole()));
        FilterSpeed filter = new FilterSpeed();
        double share = measured.get("again") / codec.get("encode");
        trial.floor(
                "the class filter takes at most " + FILTER + " of the time to encode",
                String.format(
                        Locale.ROOT,
                        "%.3f: %.2f us for %d objects; %.1f us for their %d classes when they are met first; JDK"
                                + " serialization %.1f us with it, %.1f us without",
                        share,
                        measured.get("again"),
                        filter.objects(),
                        measured.get("first"),
                        filter.classes(),
                        measured.get("stream"),
                        measured.get("streamUnfiltered")),
                share <= FILTER);
    }

    private static void detection(Trial trial, Figures codec) throws Exception {
        Figures measured = trial.round("detection", () -> measure(RequestSpeed.class, trial.whole()));
        double nothing = measured.get("readsNothing");
        double detection = measured.get("readsObjects") - nothing;
        double text = measured.get("readsText") - nothing;
        trial.floor(
                "reading what can't change takes at most " + UNCHANGEABLE + " of the time to encode profile and cart",
                String.format(Locale.ROOT, "%.2f us; a request that reads nothing %.2f us", text, nothing),
                text <= UNCHANGEABLE * codec.get("encode"));
        trial.floor(
                "to find that profile and cart were read and not changed takes at most " + DETECTION
                        + " of the time to encode them",
                String.format(Locale.ROOT, "%.1f us, %.1f us", detection, codec.get("encode")),
                detection <= DETECTION * codec.get("encode"));
    }

    private static void faster(Trial trial, Figures measured, String what, double least) {
        double ours = measured.get(what);
        double theirs = measured.get(what + "ByJdk");
        trial.floor(
                what + ": at least " + least + " times as fast on JDK "
                        + Runtime.version().feature(),
                String.format(
                        Locale.ROOT, "%.1f times: %.1f us, JDK serialization %.1f us", theirs / ours, ours, theirs),
                theirs / ours >= least);
    }

    private static Figures measure(Class<?> benchmarks, boolean whole) throws Exception {
        Map<String, Number> micros = new HashMap<>();
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include(benchmarks.getName() + "\\..*")
                        .forks(whole ? 3 : 1)
                        .warmupIterations(whole ? 5 : 3)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(10)
                        .measurementTime(TimeValue.milliseconds(whole ? 1000 : 250))
                        .build())
                .run()) {
            micros.put(
                    result.getPrimaryResult().getLabel(),
                    result.getPrimaryResult().getStatistics().getMin()); // What else runs on the machine only adds.
        }
        return Figures.of(micros);
    }
}
