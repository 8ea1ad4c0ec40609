package io.understudy.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looks are made by hand: no time passes. */
@Tag("rules")
@Timeout(120)
class WatchdogTest {

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final Failures failures = new Failures("n1", metrics);
    private final Watchdog watchdog = new Watchdog("n1", metrics, failures);
    private final AtomicLong steps = new AtomicLong();
    private final AtomicBoolean busy = new AtomicBoolean(true);

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            watchdog.look();
        }
    }

    @Test
    void whatStandsStillIsNamedUntilItGetsOn() {
        watchdog.watch(new Watched("peeling", steps::get).whenever(busy::get));
        try (LogLines lines = new LogLines(Watchdog.class.getName())) {
            look(Watched.PATIENCE - 1);
            assertNull(watchdog.standstill());
            look(2);
            assertEquals("has made no progress with peeling for 11 s", watchdog.standstill());
            steps.incrementAndGet();
            look(1);
            assertNull(watchdog.standstill());
            assertEquals(1, lines.with("SEVERE", "peeling").size());
            assertEquals(1, lines.with("INFO", "peeling").size());
        }
        assertEquals(1, metrics.value(Counter.THREADS_STUCK));
    }

    @Test
    void whoHasNothingToDoMayStandStill() {
        watchdog.watch(new Watched("peeling", steps::get).whenever(busy::get));
        busy.set(false);
        look(10 * Watched.PATIENCE);
        assertNull(watchdog.standstill());
    }

    @Test
    void whatDoesNotEndIsEndedOnce() {
        AtomicInteger ended = new AtomicInteger();
        watchdog.watch(new Watched("peeling", steps::get).end(30, ended::incrementAndGet));
        look(29);
        assertEquals(0, ended.get());
        look(71);
        assertEquals(1, ended.get());
    }

    @Test
    void aWatchThatFailsDoesNotKeepTheNext() {
        watchdog.watch(new Watched("failing", () -> 0).care(() -> {
            throw new NoClassDefFoundError("a test's");
        }));
        watchdog.watch(new Watched("peeling", steps::get));
        look(Watched.PATIENCE);
        assertEquals("has made no progress with peeling for 10 s", watchdog.standstill());
        assertEquals(Watched.PATIENCE, metrics.value(Counter.FAILURES_SURVIVED));
    }

    @Test
    void aThreadThatEndedIsBegunAgain() {
        AtomicInteger threads = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        Loop loop = new Loop(
                "peeling",
                () -> {
                    rounds.incrementAndGet();
                    Thread.sleep(1);
                    return !over.get();
                },
                failures,
                task -> threads.incrementAndGet() == 1 ? new Thread(() -> {}) : new Thread(task));
        watchdog.watch(loop, () -> 0, Watched.PATIENCE);
        loop.start();
        Await.until(Await.LIMIT, loop::dead, loop::dead);
        assertEquals(0, rounds.get());
        look(1);
        Await.until(Await.LIMIT, rounds::get, () -> rounds.get() > 3);
        over.set(true);
        Await.until(Await.LIMIT, loop::over, loop::over);
        look(10 * Watched.PATIENCE);
        assertNull(watchdog.standstill(), "what is over is watched no more");
        assertEquals(1, metrics.value(Counter.THREADS_RESTARTED));
    }
}
