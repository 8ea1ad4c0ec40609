package io.understudy.benchmarks.speed;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Ratios;
import io.understudy.benchmarks.process.ProcessOutput;
import io.understudy.benchmarks.trial.Trial;
import java.util.List;

/** The first changes of a node that rehearsed requests before it was ready, beside those of one that did not. */
public final class WarmUpExperiment {

    private static final int SECONDS = 120;

    private WarmUpExperiment() {}

    public static void run(Trial trial) throws Exception {
        for (String coherence : List.of("coherent", "incoherent")) {
            double most = coherence.equals("coherent") ? 0.8 : 0.5;
            Ratios first = new Ratios();
            Ratios all = new Ratios();
            Ratios ready = new Ratios();
            for (int pair = 1; pair <= (trial.whole() ? 15 : 5); pair++) {
                Figures cold = round(trial, "off", coherence, pair);
                Figures warm = round(trial, "3s", coherence, pair);
                first.add(warm.get("cpu_us_1"), cold.get("cpu_us_1"));
                all.add(phases(warm), phases(cold));
                ready.add(warm.get("ready_ms"), cold.get("ready_ms"));
            }
            trial.floor(
                    "the first " + FreshPair.CHANGES + " " + coherence + " changes take at most " + most
                            + " of the processor time that they take without a warm-up",
                    first.interval().toString(),
                    first.interval().median() <= most);
            trial.say(coherence + ": processor time of the first " + FreshPair.PHASES * FreshPair.CHANGES
                    + " changes, as ratio: " + all.interval() + "; time from start to ready: " + ready.interval());
        }
    }

    private static double phases(Figures figures) {
        double sum = 0;
        for (int phase = 1; phase <= FreshPair.PHASES; phase++) {
            sum += figures.get("cpu_us_" + phase);
        }
        return sum;
    }

    private static Figures round(Trial trial, String warmUp, String coherence, int pair) throws Exception {
        String name = "warm-up " + warmUp + " " + coherence + " " + pair;
        return trial.round(name, () -> {
            ProcessOutput output = ProcessOutput.of(
                    trial,
                    name.replace(' ', '-'),
                    SECONDS,
                    List.of("-Xmx512m", "-XX:+UseG1GC", "-Djava.net.preferIPv4Stack=true"),
                    List.of(FreshPair.class.getName(), warmUp, coherence));
            return output.figures();
        });
    }
}
