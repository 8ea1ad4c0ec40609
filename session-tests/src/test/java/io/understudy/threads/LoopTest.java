package io.understudy.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("rules")
@Timeout(120)
class LoopTest {

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final AtomicInteger rounds = new AtomicInteger();

    private void run(Loop.Rounds step) {
        Loop loop = new Loop("peeling", step, new Failures("n1", metrics), Thread::new);
        loop.start();
        Await.until(Await.LIMIT, rounds::get, loop::over);
    }

    @Test
    void aRoundThatFailsIsFollowedByTheNext() {
        try (LogLines lines = new LogLines(Failures.class.getName())) {
            run(() -> {
                if (rounds.incrementAndGet() <= 3) {
                    throw new OutOfMemoryError("a test's");
                }
                return rounds.get() < 5;
            });
            assertEquals(1, lines.with("SEVERE n1 - failed: peeling").size(), "once for each cause");
        }
        assertEquals(5, rounds.get());
        assertEquals(3, metrics.value(Counter.FAILURES_SURVIVED));
    }

    @Test
    void anInterruptEndsNothing() {
        run(() -> {
            if (rounds.incrementAndGet() == 1) {
                Thread.currentThread().interrupt();
            }
            Thread.sleep(1);
            return rounds.get() < 3;
        });
        assertEquals(3, rounds.get());
    }

    @Test
    void aThreadThatCanNotBeMadeIsReported() {
        Loop loop = new Loop("peeling", () -> false, new Failures("n1", metrics), task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        loop.start();
        assertTrue(loop.dead());
        assertEquals(1, metrics.value(Counter.FAILURES_SURVIVED));
    }
}
