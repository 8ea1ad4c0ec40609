package io.understudy.benchmarks;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ceiling: how many updates of 1 KB one member gets to all others in a second, ours (numbered, ordered by session,
 * acknowledged, merged into every store) beside JGroups' multicast to a receiver that counts, over the same protocols, in
 * the same processes, in turn.
 */
final class CeilingExperiment implements Experiment.Procedure {

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

    private static final int THREADS = 4;

    /** More than updates under way, so that no session has two of them. */
    private static final int SESSIONS = 10_000;

    /** The first flood of a lane, to learn how fast it is. */
    private static final int FIRST_FLOOD = 30_000;

    /**
     * Floods of each lane before any counts, and for how many seconds each. With two processors the compiler still takes a
     * third of them after ten seconds, more for ours than for plain, as there is more to compile.
     */
    private static final int WARM_UPS = 12;

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
        try (Floods floods = new Floods(trial, transport, members, lanes)) {
            for (int i = 0; i < rounds; i++) {
                int turn = i;
                measured.add(trial.round(at + ", round " + (i + 1), () -> floods.round(turn, seconds)));
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

    /** The members, started when the first round is to be run, and how many updates fill a given time. */
    private static final class Floods implements AutoCloseable {

        private final Trial trial;
        private final String transport;
        private final int members;
        private final List<String> lanes;
        private final Map<String, Double> rates = new HashMap<>();
        private @Nullable LaneFleet fleet;

        Floods(Trial trial, String transport, int members, List<String> lanes) {
            this.trial = trial;
            this.transport = transport;
            this.members = members;
            this.lanes = lanes;
        }

        private LaneFleet fleet() throws Exception {
            LaneFleet running = fleet;
            if (running == null) {
                String log = "ceiling-" + transport + "-" + members;
                running = LaneFleet.start(
                        members, transport, lanes, SESSIONS, trial.results().resolve(log));
                fleet = running;
                for (int i = 0; i < WARM_UPS; i++) {
                    for (String lane : lanes) {
                        double rate = rates.getOrDefault(lane, FIRST_FLOOD / WARM_UP_SECONDS);
                        rates.put(
                                lane,
                                running.flood(lane, (int) (rate * WARM_UP_SECONDS), THREADS)
                                        .rate());
                    }
                }
            }
            return running;
        }

        Figures round(int turn, double seconds) throws Exception {
            LaneFleet running = fleet();
            Map<String, Double> figures = new TreeMap<>();
            for (int i = 0; i < lanes.size(); i++) {
                String lane = lanes.get((turn + i) % lanes.size());
                int count = (int) (rates.getOrDefault(lane, 0.0) * seconds);
                LaneFleet.Flooded flooded = running.flood(lane, count, THREADS);
                rates.put(lane, flooded.rate());
                figures.put(lane, Math.rint(flooded.rate()));
                figures.put(lane + ".cpu-us", Math.rint(flooded.cpuMicros() * 100) / 100);
            }
            return Figures.of(figures);
        }

        @Override
        public void close() throws IOException {
            if (fleet != null) {
                fleet.close();
            }
        }
    }
}
