package io.understudy.benchmarks.lanes;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Floods of lanes, each as long as is asked for: how many updates that takes is learned from the flood before. The
 * members are started, and warm, when the first one is asked for, as rounds that an earlier run has kept need none.
 *
 * <p>Threads: the experiment's own.
 */
public final class Floods implements AutoCloseable {

    /** Starts the members. */
    @FunctionalInterface
    public interface Start {
        LaneFleet members() throws Exception;
    }

    /** Updates a second of a lane's first flood. */
    private static final double FIRST_RATE = 15_000;

    private static final int THREADS = 4;

    private final Start start;
    private final List<String> lanes;
    private final int warmUps;
    private final double warmUpSeconds;
    private final Map<String, Double> rates = new HashMap<>();
    private @Nullable LaneFleet fleet;

    /**
     * @param warmUps floods of each lane before any counts
     * @param warmUpSeconds how long each of these takes
     */
    public Floods(List<String> lanes, int warmUps, double warmUpSeconds, Start start) {
        this.lanes = lanes;
        this.warmUps = warmUps;
        this.warmUpSeconds = warmUpSeconds;
        this.start = start;
    }

    /** The members, warm. */
    public LaneFleet fleet() throws Exception {
        LaneFleet running = fleet;
        if (running == null) {
            running = start.members();
            fleet = running;
            for (int i = 0; i < warmUps; i++) {
                for (String lane : lanes) {
                    flood(running, lane, warmUpSeconds);
                }
            }
        }
        return running;
    }

    public LaneFleet.Flooded flood(String lane, double seconds) throws Exception {
        return flood(fleet(), lane, seconds);
    }

    private LaneFleet.Flooded flood(LaneFleet members, String lane, double seconds) throws Exception {
        int count = (int) (rates.getOrDefault(lane, FIRST_RATE) * seconds);
        LaneFleet.Flooded flooded = members.flood(lane, count, THREADS);
        rates.put(lane, flooded.rate());
        return flooded;
    }

    @Override
    public void close() throws IOException {
        if (fleet != null) {
            fleet.close();
        }
    }
}
