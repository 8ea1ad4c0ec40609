package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class PaceTest {

    private long now;
    private Runnable duringPause = () -> {};
    private final List<Long> pauses = new ArrayList<>();
    private final Pace pace = new Pace(() -> now, this::park);

    private void park(long nanos) {
        pauses.add(nanos);
        assertTrue(pauses.size() < 10, "it pauses for ever");
        now += nanos;
        duringPause.run();
    }

    private List<Long> pausesBeforeTheNext() {
        pauses.clear();
        pace.await();
        return List.copyOf(pauses);
    }

    @Test
    void theFirstMessageGoesAtOnce() {
        assertEquals(List.of(), pausesBeforeTheNext());
    }

    @Test
    void aMessageGoesOneGapAfterTheOneBefore() {
        pace.sent(1);
        now += 300_000;
        assertEquals(List.of(Pace.GAP_NANOS - 300_000), pausesBeforeTheNext());
        pace.sent(Pace.MANY - 1);
        assertEquals(List.of(Pace.GAP_NANOS), pausesBeforeTheNext());
    }

    @Test
    void aMessageAfterTheGapGoesAtOnce() {
        pace.sent(1);
        now += Pace.GAP_NANOS;
        assertEquals(List.of(), pausesBeforeTheNext());
    }

    @Test
    void afterARoundOfManyTheNextOneDoesNotWaitForMore() {
        pace.sent(Pace.MANY - 1);
        pace.sent(1);
        assertEquals(List.of(), pausesBeforeTheNext());
        pace.sent(1);
        assertEquals(List.of(Pace.GAP_NANOS), pausesBeforeTheNext());
    }

    @Test
    void whatARequestWaitsForGoesAtOnce() {
        pace.sent(1);
        pace.hurry();
        assertEquals(List.of(), pausesBeforeTheNext());
        pace.sent(1);
        assertEquals(List.of(Pace.GAP_NANOS), pausesBeforeTheNext());
    }

    @Test
    void aRequestThatBeginsToWaitEndsThePause() {
        duringPause = () -> {
            now -= Pace.GAP_NANOS / 2;
            pace.hurry();
        };
        pace.sent(1);
        assertEquals(List.of(Pace.GAP_NANOS), pausesBeforeTheNext());
    }

    @Test
    void aPauseIsNoShorterForBeingDisturbed() {
        duringPause = () -> now -= pauses.size() == 1 ? 400_000 : 0;
        pace.sent(1);
        assertEquals(List.of(Pace.GAP_NANOS, 400_000L), pausesBeforeTheNext());
    }

    @Test
    void anInterruptEndsThePause() {
        duringPause = () -> {
            now -= 1;
            Thread.currentThread().interrupt();
        };
        pace.sent(1);
        assertEquals(List.of(Pace.GAP_NANOS), pausesBeforeTheNext());
        assertTrue(Thread.interrupted(), "the sending thread finds it");
    }
}
