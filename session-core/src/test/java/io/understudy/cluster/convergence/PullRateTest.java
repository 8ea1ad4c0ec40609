package io.understudy.cluster.convergence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class PullRateTest {

    private static final Duration NONE = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(1);

    private final List<Duration> rests = new ArrayList<>();
    private final PullRate beside = PullRate.beside(rests::add);

    /** Pulls sessions of one size, each answer in so much time, and gives the number of answers. */
    private int pull(PullRate pace, int sessions, int bytes, Duration took) {
        int answers = 0;
        for (int left = sessions; left > 0; answers++) {
            int asked = Math.min(left, pace.keys());
            pace.answered(asked, (long) asked * bytes, took, NONE);
            left -= asked;
        }
        return answers;
    }

    @Test
    void aJoinHasAThirdOfTheTime() {
        Duration took = Duration.ofMillis(1);
        int answers = pull(beside, 100_000, 4096, took);
        assertEquals(answers, rests.size());
        assertEquals(took.multipliedBy(2L * answers), rested());
    }

    @Test
    void theRestsOfALargeJoinHaveAnEndHoweverSlowItsAnswersAre() {
        pull(beside, 100_000, 4096, LONG);
        assertTrue(rested().compareTo(Duration.ofSeconds(20)) < 0, () -> rested() + " for 100,000 sessions of 4 KB");
    }

    @Test
    void answersStaySmallHoweverLargeSessionsAre() {
        for (int bytes : new int[] {0, 200, 4096, PullRate.BESIDE_BYTES, 10 * PullRate.BESIDE_BYTES}) {
            PullRate pace = PullRate.beside(rest -> {});
            pull(pace, 5000, bytes, LONG);
            int keys = pace.keys();
            assertTrue(keys >= 1 && keys <= PullRate.MAX_KEYS, () -> keys + " sessions of " + bytes + " bytes");
            assertTrue(
                    keys == 1 || (long) keys * bytes <= PullRate.BESIDE_BYTES, () -> keys + " of " + bytes + " bytes");
        }
    }

    @Test
    void sessionsThatBecomeLargerAreAskedForInSmallerNumbersAtOnceAndSmallerOnesByAndBy() {
        pull(beside, 5000, 100, LONG);
        assertEquals(PullRate.MAX_KEYS, beside.keys());
        beside.answered(64, 256 << 10, LONG, NONE); // As many as one answer held.
        assertEquals(16, beside.keys());
        beside.answered(16, 1600, LONG, NONE);
        assertEquals(32, beside.keys());
    }

    @Test
    void noMoreIsAskedForThanAMillisecondOfWorkHoweverSmallSessionsAre() {
        pull(beside, 5000, 10, NONE);
        beside.answered(512, 5120, Duration.ofMillis(2), Duration.ofMillis(8));
        assertEquals(64, beside.keys());
        beside.answered(64, 640, NONE, Duration.ofMillis(1));
        assertEquals(64, beside.keys());
        beside.answered(64, 640, NONE, Duration.ofNanos(1));
        assertEquals(128, beside.keys());
    }

    @Test
    void theWorkMayTakeAQuarterOfALongWay() {
        pull(beside, 5000, 10, NONE);
        beside.answered(512, 5120, Duration.ofMillis(16), Duration.ofMillis(8));
        assertEquals(256, beside.keys());
    }

    @Test
    void theRestsOfALargeJoinHaveAnEndHoweverLongTheWorkTakes() {
        while (beside.keys() < 16) {
            beside.answered(beside.keys(), 4096L * beside.keys(), NONE, NONE);
        }
        beside.answered(16, 16 * 4096, NONE, LONG);
        assertEquals(16, beside.keys());
    }

    @Test
    void digestsAreFollowedByARestTooButNotWhereSomebodyWaits() {
        beside.compared(Duration.ofMillis(1));
        PullRate.full().compared(LONG);
        assertEquals(List.of(Duration.ofMillis(2)), rests);
    }

    @Test
    void anAnswerWithNothingOfWhatWasAskedForChangesNothingButIsFollowedByARest() {
        int keys = beside.keys();
        beside.answered(0, 0, LONG, NONE);
        assertEquals(keys, beside.keys());
        assertEquals(1, rests.size());
    }

    @Test
    void whereSomebodyWaitsAsManyAsAnAnswerHoldsAreAskedForWithoutARest() {
        PullRate full = PullRate.full();
        full.answered(64, 256 << 10, LONG, NONE);
        assertEquals(PullRate.MAX_KEYS, full.keys());
    }

    private Duration rested() {
        return rests.stream().reduce(Duration.ZERO, Duration::plus);
    }
}
