package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.session.Acks;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.ScopeHeader;
import io.understudy.testkit.Beside;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("rules")
class AckTrackerTest {

    private static final Address B = UUID.randomUUID();
    private static final Address C = UUID.randomUUID();

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final AckTracker tracker = new AckTracker(metrics, member -> member.equals(B) ? "b" : "c");

    @BeforeEach
    void bothArePresent() {
        tracker.view(Set.of(B, C));
    }

    @Test
    void aChangeIsCompleteWhenEveryMemberAcknowledgedIt() {
        CompletableFuture<AckResult> done = expect(1, 10);
        tracker.acknowledged(B, 1, true);
        assertFalse(done.isDone());
        tracker.acknowledged(B, 1, true);
        tracker.acknowledged(C, 2, true);
        assertFalse(done.isDone(), "neither a repeated nor an unknown number counts for another");
        tracker.acknowledged(C, 1, true);
        assertEquals(AckResult.ALL, done.join());
    }

    /** The first one of a peer takes memory. */
    @Test
    void aFailedMeasurementLosesNoAcknowledgement() {
        AckTracker failing = new AckTracker(metrics, member -> {
            throw new NoClassDefFoundError("a test's");
        });
        failing.view(Set.of(B));
        CompletableFuture<AckResult> done = failing.expect(new ScopeHeader(7, 1, 0, 0), 10, List.of(B), Acks.ALL);
        failing.acknowledged(B, 1, true);
        assertEquals(AckResult.ALL, done.join());
        assertEquals(0, failing.atRisk().changes());
    }

    @Test
    void aMemberThatLeftIsNoLongerWaitedFor() {
        CompletableFuture<AckResult> done = expect(1, 10);
        tracker.acknowledged(B, 1, true);
        tracker.view(Set.of(B));
        assertEquals(AckResult.ALL, done.join());
        CompletableFuture<AckResult> afterwards = expect(2, 10);
        tracker.acknowledged(B, 2, true);
        assertEquals(AckResult.ALL, afterwards.join(), "a member that is not in the view is not expected at all");
    }

    @Test
    void aChangeNobodyHoldsIsCompleteButNotHeld() {
        CompletableFuture<AckResult> done = expect(1, 10);
        tracker.view(Set.of());
        assertEquals(AckResult.NONE, done.join());
        assertEquals(AckResult.NONE, expect(2, 10).join(), "alone in the view");
    }

    @Test
    void aParkedChangeIsNoLongerWaitedForAndDoesNotCount() {
        CompletableFuture<AckResult> onlyParked = expect(1, 10);
        tracker.acknowledged(B, 1, false);
        tracker.acknowledged(C, 1, false);
        assertEquals(AckResult.NONE, onlyParked.join());
        CompletableFuture<AckResult> oneHolds = expect(2, 10);
        tracker.acknowledged(B, 2, false);
        tracker.acknowledged(C, 2, true);
        assertEquals(AckResult.ALL, oneHolds.join());
    }

    /** One that joins compares later on; one that is ready should have been able to take it. */
    @ParameterizedTest
    @CsvSource({"ALL, FEW", "MAJORITY, ENOUGH", "ONE, ENOUGH"})
    void whatAReadyMemberCouldNotTakeIsNotHeldByAll(Acks acks, AckResult expected) {
        AckTracker ready = new AckTracker(metrics, Address::toString, (application, member) -> true);
        ready.view(Set.of(B, C));
        CompletableFuture<AckResult> done = ready.expect(new ScopeHeader(7, 1, 0, 0), 10, List.of(B, C), acks);
        ready.acknowledged(B, 1, false);
        ready.acknowledged(C, 1, true);
        assertEquals(expected, done.join());
        assertEquals(0, ready.atRisk().changes());
    }

    /** There was no memory for it, here or there. */
    @Test
    void anAcknowledgementThatIsLostIsNotWaitedForForEver() {
        CompletableFuture<AckResult> done = expect(1, 10);
        tracker.acknowledged(B, 1, true);
        tracker.forget(TimeUnit.HOURS.toNanos(1));
        assertFalse(done.isDone(), "members compare later than that");
        tracker.forget(-1);
        assertEquals(AckResult.FEW, done.join());
        assertEquals(0, tracker.atRisk().changes());
        tracker.acknowledged(C, 1, true);
        assertEquals(0, tracker.atRisk().changes(), "it comes late");
    }

    @Test
    void whoDoesNotAcknowledgeIsAskedAfterAWhileAndThenEverMoreSeldom() {
        long before = System.nanoTime();
        CompletableFuture<AckResult> unused = expect(1, 10);
        long after = System.nanoTime();
        tracker.acknowledged(B, 1, true);
        assertEquals(Map.of(), tracker.missing(before + TimeUnit.MILLISECONDS.toNanos(99), 10));
        long asked = after + TimeUnit.MILLISECONDS.toNanos(100);
        assertEquals(Map.of(C, List.of(1L)), tracker.missing(asked, 10));
        assertEquals(Map.of(), tracker.missing(asked + TimeUnit.MILLISECONDS.toNanos(199), 10));
        assertEquals(Map.of(C, List.of(1L)), tracker.missing(asked + TimeUnit.MILLISECONDS.toNanos(200), 10));
        tracker.acknowledged(C, 1, true);
        assertEquals(Map.of(), tracker.missing(asked + TimeUnit.HOURS.toNanos(1), 10));
    }

    @Test
    void changesThatWereNotAskedForHaveTheirTurn() {
        send(1, 7, 10);
        send(2, 8, 10);
        long later = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        Set<Long> asked = new HashSet<>();
        asked.addAll(tracker.missing(later, 1).get(B));
        asked.addAll(tracker.missing(later, 1).get(B));
        assertEquals(Set.of(1L, 2L), asked);
    }

    @Test
    void whatIsNotCompleteIsAtRisk() {
        send(1, 7, 10);
        send(2, 7, 20);
        send(3, 8, 5);
        assertEquals(2, tracker.atRisk().sessions());
        assertEquals(35, tracker.atRisk().bytes());
        tracker.acknowledged(B, 1, true);
        tracker.acknowledged(C, 1, true);
        assertEquals(2, tracker.atRisk().sessions());
        assertEquals(25, tracker.atRisk().bytes());
        tracker.acknowledged(B, 2, true);
        tracker.acknowledged(B, 3, true);
        tracker.view(Set.of(B));
        assertEquals(0, tracker.atRisk().sessions());
        assertEquals(0, tracker.atRisk().bytes());
    }

    /** It was two steps: between them, and for good if the first failed and was made again, nobody waited for the other side. */
    @Test
    void whoComesFromAnotherSideIsWaitedForFromNowOnAndNotForWhatWasBefore() {
        tracker.view(Set.of(B));
        CompletableFuture<AckResult> before = expect(1, Acks.ALL, Set.of(B));
        tracker.view(this, Set.of(B), Set.of(B, C));
        CompletableFuture<AckResult> after = expect(2, Acks.ALL, Set.of(B, C));
        tracker.acknowledged(B, 1, true);
        tracker.acknowledged(B, 2, true);
        assertEquals(AckResult.ALL, before.join());
        assertFalse(after.isDone());
        tracker.acknowledged(C, 2, true);
        assertEquals(AckResult.ALL, after.join());
    }

    @Test
    void whoWasNotInTheViewWithThisMemberAcknowledgesNothingOfBefore() {
        CompletableFuture<AckResult> before = expect(1, Acks.ALL, Set.of(B, C));
        tracker.view(this, Set.of(B), Set.of(B, C));
        tracker.acknowledged(B, 1, true);
        assertTrue(before.isDone());
    }

    /** It never got the change, and shows the session without it until it has compared. */
    @ParameterizedTest
    @CsvSource({"ALL, FEW", "MAJORITY, ENOUGH", "ONE, ENOUGH"})
    void whatOneFromAnotherSideMayLackIsNotHeldByAll(Acks acks, AckResult expected) {
        CompletableFuture<AckResult> before = expect(1, acks, Set.of(B, C));
        tracker.acknowledged(B, 1, true);
        tracker.view(this, Set.of(), Set.of(B, C));
        assertEquals(expected, before.join());
        assertEquals(0, tracker.atRisk().changes());
        assertFalse(tracker.expecting());
    }

    @Test
    void whoLeftAtAMergeIsNotOneThatLacksTheChange() {
        CompletableFuture<AckResult> before = expect(1, Acks.ALL, Set.of(B, C));
        tracker.acknowledged(B, 1, true);
        tracker.view(this, Set.of(), Set.of(B));
        assertEquals(AckResult.ALL, before.join());
    }

    @ParameterizedTest
    @CsvSource({
        "ALL,1,1",
        "ALL,4,4",
        "MAJORITY,1,1",
        "MAJORITY,2,1",
        "MAJORITY,3,2",
        "MAJORITY,4,2",
        "ONE,1,1",
        "ONE,4,1"
    })
    void withSoManyAcknowledgementsItIsEnough(Acks acks, int others, int enough) {
        List<Address> members =
                Stream.<Address>generate(UUID::randomUUID).limit(others).toList();
        tracker.view(Set.copyOf(members));
        CompletableFuture<AckResult> done = expect(1, acks, Set.copyOf(members));
        for (int i = 0; i < others; i++) {
            assertEquals(i >= enough, done.isDone(), "after " + i);
            assertEquals(1, tracker.atRisk().changes(), "all are waited for");
            tracker.acknowledged(members.get(i), 1, true);
        }
        assertEquals(enough == others ? AckResult.ALL : AckResult.ENOUGH, done.join());
        assertEquals(0, tracker.atRisk().changes());
    }

    @Test
    void whoCanNotShowTheChangeIsNotOneOfTheMajority() {
        CompletableFuture<AckResult> done = expect(1, Acks.ONE, Set.of(B, C));
        tracker.acknowledged(B, 1, false);
        assertFalse(done.isDone());
        tracker.view(Set.of(B));
        assertEquals(AckResult.NONE, done.join());
    }

    @Test
    void theOldestAreAskedForFirst() {
        for (int number = 1; number <= 1000; number++) {
            send(number, 10);
        }
        long later = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        assertEquals(
                LongStream.rangeClosed(1, 100).boxed().toList(),
                tracker.missing(later, 100).get(B));
    }

    @Test
    void settledIsWhatWasExpectedUntilThenAndNothingLater() {
        assertTrue(tracker.settled().isDone(), "nothing is expected");
        send(1, 10);
        send(2, 10);
        CompletableFuture<Void> settled = tracker.settled();
        send(3, 10);
        CompletableFuture<Void> later = tracker.settled();
        tracker.acknowledged(B, 1, true);
        tracker.acknowledged(C, 1, true);
        tracker.acknowledged(B, 2, true);
        assertFalse(settled.isDone());
        tracker.view(Set.of(B));
        assertTrue(settled.isDone(), "the silent member left");
        assertFalse(later.isDone());
        tracker.acknowledged(B, 3, false);
        assertTrue(later.isDone());
    }

    @Test
    void enoughIsNotSettled() {
        CompletableFuture<AckResult> done = expect(1, Acks.ONE, Set.of(B, C));
        CompletableFuture<Void> settled = tracker.settled();
        tracker.acknowledged(B, 1, true);
        assertEquals(AckResult.ENOUGH, done.join());
        assertFalse(settled.isDone());
        tracker.acknowledged(C, 1, true);
        assertTrue(settled.isDone());
    }

    @Test
    void eachAcknowledgementIsOneLagOfThatPeer() {
        send(1, 10);
        tracker.acknowledged(B, 1, true);
        tracker.acknowledged(B, 1, true);
        tracker.acknowledged(C, 9, true);
        assertEquals(Set.of("b"), metrics.lags().keySet());
        assertEquals(1, metrics.lags().get("b").getTotalCount());
    }

    @Test
    void lagsOfMembersThatLeftAreForgotten() {
        send(1, 10);
        tracker.acknowledged(B, 1, true);
        tracker.acknowledged(C, 1, true);
        tracker.view(Set.of(B));
        assertEquals(Set.of("b"), metrics.lags().keySet());
        tracker.acknowledged(C, 1, true);
        assertEquals(Set.of("b"), metrics.lags().keySet(), "by a late acknowledgement neither");
    }

    @Test
    void futuresAreCompletedOutsideTheLock() throws Exception {
        CompletableFuture<AckResult> done = expect(1, 10);
        CompletableFuture<Void> other = done.thenAccept(held -> Beside.get(() -> {
                    tracker.view(Set.of());
                    return 0;
                })
                .orTimeout(10, TimeUnit.SECONDS)
                .join());
        tracker.view(Set.of());
        other.get();
    }

    private void send(long number, int bytes) {
        send(number, 7, bytes);
    }

    private void send(long number, long scope, int bytes) {
        assertFalse(expect(number, scope, bytes).isDone());
    }

    private CompletableFuture<AckResult> expect(long number, int bytes) {
        return expect(number, 7, bytes);
    }

    private CompletableFuture<AckResult> expect(long number, long scope, int bytes) {
        return tracker.expect(new ScopeHeader(scope, number, 0, 0), bytes, Set.of(B, C), Acks.ALL);
    }

    private CompletableFuture<AckResult> expect(long number, Acks acks, Set<Address> members) {
        return tracker.expect(new ScopeHeader(7, number, 0, 0), 10, members, acks);
    }
}
