package io.understudy.sealing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.sealing.ReplayWindow.Verdict;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

@Tag("rules")
class ReplayWindowTest {

    /** Against a set of all that came, which never forgets. */
    @Property(tries = 200)
    void aNumberIsTakenOnceAndNoneThatCameBeforeIsEverTakenAgain(
            @ForAll long seed,
            @ForAll @LongRange(min = 0, max = 1L << 40) long floor,
            @ForAll @IntRange(min = 1, max = 200_000) int spread) {
        Random random = new Random(seed);
        ReplayWindow window = new ReplayWindow(floor);
        Set<Long> came = new HashSet<>();
        long highest = floor;
        for (int i = 0; i < 2000; i++) {
            long number = Math.max(0, highest + random.nextInt(spread) - spread * 3L / 4);
            Verdict verdict = window.accept(number);
            boolean first = came.add(number);
            if (number < floor) {
                assertEquals(Verdict.TOO_OLD, verdict, () -> "below the floor: " + number);
            } else if (number > highest - ReplayWindow.SPAN) {
                assertEquals(first ? Verdict.FRESH : Verdict.SEEN, verdict, () -> number + " within the window");
            } else if (!first) {
                assertEquals(false, verdict == Verdict.FRESH, () -> number + " came before");
            }
            highest = Math.max(highest, number);
        }
    }

    @Example
    void aJumpAboveTheWindowForgetsWhatIsBelowAndTakesNothingFromThere() {
        ReplayWindow window = new ReplayWindow(0);
        assertEquals(Verdict.FRESH, window.accept(5));
        long far = 1L << 50;
        assertEquals(Verdict.FRESH, window.accept(far));
        assertEquals(Verdict.TOO_OLD, window.accept(5));
        assertEquals(Verdict.FRESH, window.accept(far - ReplayWindow.SPAN + 1));
        assertEquals(Verdict.SEEN, window.accept(far));
    }
}
