package io.understudy.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.threads.AtOnce;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class HybridClockTest {

    private static final long NOON = 1_800_000_000_000L;
    private static final long HOUR = 3_600_000;

    private final AtomicLong wall = new AtomicLong(NOON);
    private final HybridClock clock = new HybridClock(wall::get, 42);

    @Test
    void stampsCarryTheWallClockAndTheOrigin() {
        assertEquals(NOON, clock.next().millis());
        assertEquals(42, clock.next().origin());
        assertEquals(42, clock.origin());
    }

    @Test
    void stampsIncreaseWithinOneMillisecondAndWhenTheWallClockStepsBack() {
        Stamp last = clock.next();
        for (int i = 0; i < 200_000; i++) {
            if (i == 100_000) {
                wall.addAndGet(-HOUR);
            }
            Stamp next = clock.next();
            assertTrue(next.compareTo(last) > 0, next + " after " + last);
            last = next;
        }
    }

    @Test
    void theClockFollowsTheWallClockWhenThatStepsAhead() {
        clock.next();
        wall.addAndGet(HOUR);
        assertEquals(NOON + HOUR, clock.next().millis());
    }

    @Test
    void aWriteIsAboveEverythingThePeersShowed() {
        long seen = time(NOON + 30_000) + 5;
        clock.observe(seen);
        assertEquals(seen + 1, clock.next().time());
    }

    @Test
    void anOlderTimeOfAPeerDoesNotTurnTheClockBack() {
        Stamp before = clock.next();
        clock.observe(time(NOON - HOUR));
        assertTrue(clock.next().compareTo(before) > 0);
    }

    @Test
    void aPeerAnHourAheadMovesTheClockByAMinuteAtMost() {
        clock.observe(time(NOON + HOUR));
        assertEquals(NOON + HybridClock.MAX_LEAD_MILLIS, clock.next().millis());
        assertEquals(60_000, HybridClock.MAX_LEAD_MILLIS);
    }

    @Test
    void aWriteBeatsWhatItOverwritesHoweverFarAheadThatIs() {
        long far = time(NOON + HOUR);
        clock.observe(far);
        Stamp first = clock.next(far);
        Stamp second = clock.next(first.time());
        assertEquals(far + 1, first.time());
        assertEquals(far + 2, second.time());
        assertEquals(NOON + HybridClock.MAX_LEAD_MILLIS, clock.next().millis(), "other fields keep the bounded clock");
    }

    @Test
    void aWriteOverTheHighestTimeGetsTheSameAndNeverFails() {
        assertEquals(Stamp.MAX_TIME, clock.next(Stamp.MAX_TIME - 1).time());
        assertEquals(Stamp.MAX_TIME, clock.next(Stamp.MAX_TIME).time());
        assertEquals(NOON, clock.next().millis(), "other fields keep the bounded clock");
        clock.observe(Stamp.MAX_TIME);
        assertEquals(NOON + HybridClock.MAX_LEAD_MILLIS, clock.next().millis());
        wall.set(Long.MAX_VALUE >> HybridClock.COUNTER_BITS);
        assertEquals(Stamp.MAX_TIME, clock.next().time());
    }

    @Test
    void aWriteOverAnOldOneTakesTheClocksTime() {
        assertEquals(NOON, clock.next(time(NOON - HOUR)).millis());
        assertEquals(NOON, clock.next(0).millis());
    }

    @Test
    void threadsNeverGetOneStampTwice() throws Exception {
        int threads = 8;
        int each = 20_000;
        List<List<Long>> results = AtOnce.run(
                threads,
                thread -> LongStream.range(0, each)
                        .map(i -> clock.next().time())
                        .boxed()
                        .toList());
        Set<Long> all = new HashSet<>();
        results.forEach(all::addAll);
        assertEquals(threads * each, all.size());
    }

    private static long time(long millis) {
        return millis << HybridClock.COUNTER_BITS;
    }
}
