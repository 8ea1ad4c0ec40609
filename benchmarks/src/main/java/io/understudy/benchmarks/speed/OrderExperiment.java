package io.understudy.benchmarks.speed;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.lanes.LaneFleet;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.netns.Fault;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Order without waiting: how long updates take while datagrams are lost, ours beside JGroups' FIFO and FIFO with a
 * queue per session, over the same protocols, in the same processes, in turn.
 */
public final class OrderExperiment implements Experiment.Procedure {

    private static final int MEMBERS = 3;
    private static final int RATE = 3000;
    private static final int MEGABYTES = 768;
    private static final int SESSIONS = 1000;
    private static final int WARM_UP_SECONDS = 5;
    private static final String OURS = "understudy";
    private static final List<String> OTHERS = List.of("fifo", "striped");
    private static final List<String> LANES = List.of(OURS, "fifo", "striped");

    private @Nullable LaneFleet fleet;

    @Override
    public void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 10 : 2;
        int seconds = trial.whole() ? 10 : 4;
        try {
            for (int percent : List.of(1, 2)) {
                Rounds measured = new Rounds();
                for (int i = 0; i < rounds; i++) {
                    int turn = i;
                    measured.add(
                            trial.round(percent + "% " + (i + 1), () -> round(fleet(trial), percent, turn, seconds)));
                }
                judge(trial, percent, measured);
            }
        } finally {
            if (fleet != null) {
                fleet.close();
            }
        }
    }

    private LaneFleet fleet(Trial trial) throws Exception {
        LaneFleet running = fleet;
        if (running == null) {
            running = LaneFleet.start(
                    MEMBERS, MEGABYTES, "udp", LANES, SESSIONS, trial.results().resolve("order"));
            fleet = running;
            for (String lane : LANES) {
                running.pace(lane, RATE, WARM_UP_SECONDS);
            }
        }
        return running;
    }

    private static Figures round(LaneFleet fleet, int percent, int turn, int seconds) throws Exception {
        Map<String, Double> figures = new TreeMap<>();
        for (int i = 0; i < LANES.size(); i++) {
            String lane = LANES.get((turn + i) % LANES.size());
            LaneFleet.Paced paced;
            Fault loss = fleet.network().loss(percent);
            try {
                paced = fleet.pace(lane, RATE, seconds);
            } finally {
                loss.close();
            }
            figures.put(lane + ".rate", Math.rint(paced.rate()));
            figures.put(lane + ".updates", (double) paced.delays().getTotalCount());
            figures.put(lane + ".p50", (double) paced.delays().getValueAtPercentile(50));
            figures.put(lane + ".p90", (double) paced.delays().getValueAtPercentile(90));
            figures.put(lane + ".p99", (double) paced.delays().getValueAtPercentile(99));
            figures.put(lane + ".out-of-order", (double) paced.outOfOrder());
            figures.put(lane + ".missing", (double) paced.missing());
        }
        return Figures.of(figures);
    }

    private static void judge(Trial trial, int percent, Rounds rounds) {
        String at = percent + " % loss: ";
        for (String lane : LANES) {
            trial.say(String.format(
                    Locale.ROOT,
                    "%s%-10s p50 %.2f ms, p90 %.2f ms, p99 %.2f ms (medians)",
                    at,
                    lane,
                    rounds.median(lane + ".p50") / 1000,
                    rounds.median(lane + ".p90") / 1000,
                    rounds.median(lane + ".p99") / 1000));
            double rate = rounds.min(lane + ".rate");
            trial.floor(at + lane + " is offered 3,000 updates/s", rate + "/s at least", rate >= 0.98 * RATE);
            double missing = rounds.sum(lane + ".missing");
            trial.demand(at + lane + " delivers every update", (long) missing + " missing", missing == 0);
        }
        double outOfOrder = rounds.sum(OURS + ".out-of-order");
        trial.demand(
                at + "0 updates out of order in a session",
                (long) outOfOrder + " of " + (long) rounds.sum(OURS + ".updates"),
                outOfOrder == 0);
        for (String lane : OTHERS) {
            for (String percentile : List.of("p50", "p90")) {
                double ratio = rounds.median(OURS + "." + percentile) / rounds.median(lane + "." + percentile);
                trial.floor(
                        at + percentile + " at most 1/10 of " + lane,
                        String.format(Locale.ROOT, "1/%.1f", 1 / ratio),
                        ratio <= 0.1);
            }
        }
    }
}
