package io.understudy.benchmarks.speed;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.figures.Rounds;
import io.understudy.benchmarks.lanes.Floods;
import io.understudy.benchmarks.lanes.LaneFleet;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Trial;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ceiling: how many updates of 1 KB one member gets to all others in a second. Ours are numbered, ordered by session,
 * acknowledged, and merged into every store. Beside them is JGroups' multicast to a receiver that counts, over the same
 * protocols, in the same processes, in turn.
 */
public final class CeilingExperiment implements Experiment.Procedure {

    /**
     * A goal: this share of that lane.
     *
     * @param floor half of what was measured when the goal was not reached yet
     */
    private record Share(String transport, String lane, double atLeast, double floor) {}

    private static final String OURS = "counted";
    private static final List<Share> SHARES = List.of(
            new Share("udp", "regular", 0.8, 0.25),
            new Share("tcp", "oob", 0.8, 0.14),
            new Share("tcp", "regular", 0.45, 0.17));

    /** More than updates under way, so that no session has two of them. */
    private static final int SESSIONS = 10_000;

    private static final int MEGABYTES = 768;

    /**
     * Floods of each lane before any counts, and for how many seconds each. With two processors the compiler still
     * takes a third of them after ten seconds, more for ours than for plain, as there is more to compile. The small
     * run does not judge the goals, and has half of it.
     */
    private static final int WARM_UPS = 12;

    private static final int FEWER_WARM_UPS = 6;

    private static final double WARM_UP_SECONDS = 2;

    @Override
    public void run(Trial trial) throws Exception {
        int rounds = trial.whole() ? 12 : 4;
        double seconds = trial.whole() ? 3 : 1.5;
        for (int members : trial.whole() ? List.of(2, 3, 4) : List.of(3)) {
            for (String transport : List.of("udp", "tcp")) {
                run(trial, transport, members, rounds, seconds);
            }
        }
    }

    private static void run(Trial trial, String transport, int members, int rounds, double seconds) throws Exception {
        List<String> lanes = transport.equals("udp") ? List.of(OURS, "regular") : List.of(OURS, "oob", "regular");
        String at = transport + ", " + members + " members";
        Rounds measured = new Rounds();
        Path log = trial.results().resolve("ceiling-" + transport + "-" + members);
        Floods.Start start = () -> LaneFleet.start(members, MEGABYTES, transport, lanes, SESSIONS, log);
        try (Floods floods = new Floods(lanes, trial.whole() ? WARM_UPS : FEWER_WARM_UPS, WARM_UP_SECONDS, start)) {
            for (int i = 0; i < rounds; i++) {
                int turn = i;
                measured.add(trial.round(at + ", round " + (i + 1), () -> round(floods, lanes, turn, seconds)));
            }
        }
        for (Share share : SHARES) {
            if (share.transport().equals(transport)) {
                double ratio = measured.medianRatio(OURS, share.lane());
                trial.goal(
                        String.format(Locale.ROOT, "%s: at least %.2f of plain %s", at, share.atLeast(), share.lane()),
                        String.format(
                                Locale.ROOT,
                                "%.2f (%,.0f/s of %,.0f/s, medians)",
                                ratio,
                                measured.median(OURS),
                                measured.median(share.lane())),
                        ratio >= share.atLeast(),
                        share.floor(),
                        ratio >= share.floor());
            }
        }
    }

    private static Figures round(Floods floods, List<String> lanes, int turn, double seconds) throws Exception {
        Map<String, Double> figures = new TreeMap<>();
        for (int i = 0; i < lanes.size(); i++) {
            String lane = lanes.get((turn + i) % lanes.size());
            LaneFleet.Flooded flooded = floods.flood(lane, seconds);
            figures.put(lane, Math.rint(flooded.rate()));
            figures.put(lane + ".cpu-us", Math.rint(flooded.cpuMicros() * 100) / 100);
        }
        return Figures.of(figures);
    }
}
