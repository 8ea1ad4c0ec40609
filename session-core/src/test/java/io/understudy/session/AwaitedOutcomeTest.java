package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.session.Commit.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class AwaitedOutcomeTest {

    private static final long NEVER = TimeUnit.DAYS.toNanos(1);

    private final List<Outcome> counted = new ArrayList<>();
    private final CompletableFuture<AckResult> held = new CompletableFuture<>();

    private AwaitedOutcome within(long nanos) {
        return new AwaitedOutcome(nanos, counted::add, held, false);
    }

    @Test
    void theFirstDecisionCounts() throws Exception {
        AwaitedOutcome outcome = within(NEVER);
        assertTrue(outcome.pending());
        held.complete(AckResult.ALL);
        held.complete(AckResult.NONE);
        assertFalse(outcome.pending());
        assertEquals(Outcome.ACKNOWLEDGED, outcome.await());
        assertEquals(Outcome.ACKNOWLEDGED, outcome.timed().join());
        assertEquals(List.of(Outcome.ACKNOWLEDGED), counted);
    }

    @Test
    void afterTheDeadlineItIsDegraded() throws Exception {
        AwaitedOutcome outcome = within(0);
        assertFalse(outcome.pending(), "another request waited for it");
        assertEquals(List.of(), counted);
        assertEquals(Outcome.DEGRADED, outcome.await());
        held.complete(AckResult.ALL);
        assertEquals(Outcome.DEGRADED, outcome.await());
        assertEquals(List.of(Outcome.DEGRADED), counted);
    }

    @Test
    void itCallsBackAtTheDeadlineAlthoughNobodyWaits() {
        CompletableFuture<Outcome> called = new CompletableFuture<>();
        AwaitedOutcome outcome = new AwaitedOutcome(1, how -> {}, held, false);
        var unused = outcome.timed().thenAccept(called::complete);
        assertEquals(Outcome.DEGRADED, called.join());
    }

    @Test
    void itCallsBackWhenItIsDecided() {
        AwaitedOutcome outcome = within(NEVER);
        CompletableFuture<Outcome> called = outcome.timed().thenApply(how -> how);
        assertFalse(called.isDone());
        held.complete(AckResult.ENOUGH);
        assertEquals(Outcome.PARTLY, called.join());
        assertEquals(List.of(Outcome.PARTLY), counted);
    }

    /** Its request asks again when it ends, and another request may wait for the same commit. */
    @Test
    void aThreadThatIsInterruptedCountsAsDegradedOnce() {
        AwaitedOutcome outcome = within(NEVER);
        Commit commit = new Commit(outcome, held);
        Thread.currentThread().interrupt();
        assertEquals(Outcome.DEGRADED, commit.await());
        assertEquals(Outcome.DEGRADED, commit.await());
        assertTrue(Thread.interrupted(), "it stays interrupted");
        assertEquals(List.of(Outcome.DEGRADED), counted);
        held.complete(AckResult.ALL);
        assertEquals(Outcome.ACKNOWLEDGED, commit.await(), "for those who wait still");
        assertEquals(List.of(Outcome.DEGRADED), counted);
    }
}
