package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class PauseDetectorTest {

    private final AtomicLong now = new AtomicLong(1);
    private final List<Long> pauses = new ArrayList<>();
    private final List<Throwable> failed = new ArrayList<>();
    private final PauseDetector pulse = new PauseDetector(this::paused, failed::add, now::get);

    /** Fails at the first pause. */
    private void paused(long millis) {
        pauses.add(millis);
        if (pauses.size() == 1) {
            throw new NoClassDefFoundError("a test's");
        }
    }

    @Test
    void aPauseThatIsTakenBadlyIsTakenAgain() {
        now.addAndGet(2 * PauseDetector.PAUSE_NANOS);
        assertTrue(pulse.late());
        for (int beat = 0; beat < 3; beat++) {
            pulse.check();
            assertFalse(pulse.late());
        }
        assertEquals(List.of(3000L, 3000L), pauses);
        assertEquals(1, failed.size());
    }

    @Test
    void aBeatInTimeIsNoPause() {
        now.addAndGet(PauseDetector.PAUSE_NANOS);
        pulse.check();
        assertEquals(List.of(), pauses);
    }
}
