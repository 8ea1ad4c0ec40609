package io.understudy.benchmarks;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Bytes and time that a session's attributes take, beside JDK serialization of the same in the same run. */
final class CodecExperiment {

    private static final double BYTES = 0.5;

    private CodecExperiment() {}

    static void run(Trial trial) throws Exception {
        Figures measured = trial.round("speed", () -> measure(trial.whole()));
        CodecSpeed codec = new CodecSpeed();
        double bytes = (double) codec.ourBytes() / codec.theirBytes();
        trial.demand(
                "profile and cart with 20 items: at most " + BYTES + " of the bytes of JDK serialization",
                String.format(Locale.ROOT, "%.2f: %,d of %,d", bytes, codec.ourBytes(), codec.theirBytes()),
                bytes <= BYTES);
        boolean later = Runtime.version().feature() >= 25;
        // One short run beside others says whether it is of that order.
        double share = trial.whole() ? 1 : 0.5;
        faster(trial, measured, "encode", share * (later ? 2.2 : 3));
        faster(trial, measured, "decode", share * (later ? 4 : 3));
    }

    private static void faster(Trial trial, Figures measured, String what, double least) {
        double ours = measured.get(what);
        double theirs = measured.get(what + "ByJdk");
        trial.demand(
                what + ": at least " + least + " times as fast on JDK "
                        + Runtime.version().feature(),
                String.format(
                        Locale.ROOT, "%.1f times: %.1f us, JDK serialization %.1f us", theirs / ours, ours, theirs),
                theirs / ours >= least);
    }

    private static Figures measure(boolean whole) throws Exception {
        Map<String, Number> micros = new HashMap<>();
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include(CodecSpeed.class.getName() + "\\..*")
                        .forks(whole ? 3 : 1)
                        .warmupIterations(whole ? 5 : 3)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(whole ? 10 : 5)
                        .measurementTime(TimeValue.milliseconds(whole ? 1000 : 500))
                        .build())
                .run()) {
            micros.put(
                    result.getPrimaryResult().getLabel(),
                    result.getPrimaryResult().getScore());
        }
        return Figures.of(micros);
    }
}
