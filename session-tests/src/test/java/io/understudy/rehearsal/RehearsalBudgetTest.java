package io.understudy.rehearsal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What rehearsals may cost. */
@Tag("rules")
class RehearsalBudgetTest {

    private static final long MINUTE = 60_000;

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void nothingIsLeftBeforeTimeHasPassed() {
        RehearsalBudget budget = new RehearsalBudget(0.5, 1000);
        assertFalse(budget.left());
        budget.earn(1000);
        assertFalse(budget.left());
        budget.earn(1001);
        assertTrue(budget.left());
    }

    @Test
    void itIsTheShareOfTheTimeThatPassed() {
        RehearsalBudget budget = new RehearsalBudget(0.5, 0);
        budget.earn(MINUTE);
        budget.spend(millis(299));
        assertTrue(budget.left(), "half a percent of a minute is 300 ms");
        budget.spend(millis(1));
        assertFalse(budget.left());
    }

    @Test
    void whatWasUsedTooMuchIsEarnedFirst() {
        RehearsalBudget budget = new RehearsalBudget(0.5, 0);
        budget.earn(MINUTE);
        budget.spend(millis(900));
        budget.earn(3 * MINUTE);
        assertFalse(budget.left());
        budget.earn(3 * MINUTE + 1);
        assertTrue(budget.left());
    }

    @Test
    void whatWasNotUsedIsKeptForAMinute() {
        RehearsalBudget budget = new RehearsalBudget(0.5, 0);
        budget.earn(1000 * MINUTE);
        budget.spend(millis(300));
        assertFalse(budget.left());
    }

    @Test
    void aClockThatGoesBackEarnsNothing() {
        RehearsalBudget budget = new RehearsalBudget(100, MINUTE);
        budget.earn(0);
        assertFalse(budget.left());
        budget.spend(-5);
        assertFalse(budget.left());
    }
}
