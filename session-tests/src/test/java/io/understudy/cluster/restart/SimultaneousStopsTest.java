package io.understudy.cluster.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Members that stop at about the same time: whatever is late or lost on the way, each session is on a disk or on a
 * member that goes on.
 */
@Tag("cluster")
@Timeout(300)
class SimultaneousStopsTest {

    private static final int ROUNDS = 400;
    private static final int AT_ONCE = 20;
    private static final long SEED = 20261128;

    @Test
    void noSessionIsLost() throws Exception {
        ExecutorService rounds = Executors.newFixedThreadPool(AT_ONCE);
        List<Future<String>> outcomes = new ArrayList<>();
        Map<String, Integer> counts = new TreeMap<>();
        List<String> lost = new ArrayList<>();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                long seed = SEED + round;
                outcomes.add(rounds.submit((Callable<String>) () -> new StopSimulation(new Random(seed)).run()));
            }
            for (int round = 0; round < ROUNDS; round++) {
                String outcome = outcomes.get(round).get();
                counts.merge(outcome, 1, Integer::sum);
                if (outcome.startsWith("lost")) {
                    lost.add("round " + round + ": " + outcome);
                }
            }
        } finally {
            rounds.shutdownNow();
        }
        System.out.println(counts);
        assertEquals(List.of(), lost);
    }
}
