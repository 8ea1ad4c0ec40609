package io.understudy.benchmarks.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class RatiosTest {

    private static Ratios of(double... ratios) {
        Ratios all = new Ratios();
        for (double ratio : ratios) {
            all.add(ratio * 4, 4);
        }
        return all;
    }

    @Test
    void aSlowRoundOfBothLeavesTheRatioAsItIs() {
        Ratios ratios = new Ratios();
        ratios.add(100, 50);
        ratios.add(10, 5);
        assertEquals(new Ratios.Interval(2, 2, 2), ratios.interval());
    }

    @Test
    void intervalHoldsTheMedianAndNotAnOutlier() {
        Ratios.Interval interval =
                of(1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.98, 1.01, 9).interval();
        assertEquals(1.01, interval.median(), 1e-9);
        assertTrue(interval.low() >= 0.9 && interval.low() < 1.01, interval.toString());
        assertTrue(interval.high() > 1.01 && interval.high() <= 1.1, interval.toString());
    }

    @Test
    void widerSamplesHaveWiderIntervals() {
        Ratios.Interval narrow = of(0.99, 1, 1.01, 1, 1).interval();
        Ratios.Interval wide = of(0.5, 1, 1.5, 0.7, 1.3).interval();
        assertTrue(wide.high() - wide.low() > narrow.high() - narrow.low(), narrow + ", " + wide);
    }

    @Test
    void sameSamplesGiveTheSameInterval() {
        assertEquals(of(1, 2, 3).interval(), of(1, 2, 3).interval());
    }

    @Test
    void noPairHasNoInterval() {
        assertThrows(IllegalStateException.class, () -> new Ratios().interval());
    }
}
