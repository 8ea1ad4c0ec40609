package io.understudy.benchmarks.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class StartExperimentTest {

    @Test
    void theRateIsThatOfThreeSeconds() {
        assertEquals(2, StartExperiment.reached(List.of(1.0, 9.0, 1.0, 9.0, 8.0, 9.0), 6));
    }

    @Test
    void aRateThatIsNotReachedTakesAllTheTime() {
        assertEquals(4, StartExperiment.reached(List.of(1.0, 1.0, 1.0, 1.0), 2));
    }

    @Test
    void theRateMayBeThereFromTheBeginning() {
        assertEquals(0, StartExperiment.reached(List.of(5.0, 5.0, 5.0, 5.0), 5));
    }
}
