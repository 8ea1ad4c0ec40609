package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.ReplicationMetrics;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
        CompletableFuture<Boolean> done = expect(1, 10);
        tracker.acknowledged(B, 1, true);
        assertFalse(done.isDone());
        tracker.acknowledged(B, 1, true);
        tracker.acknowledged(C, 2, true);
        assertFalse(done.isDone(), "neither a repeated nor an unknown number counts for another");
        tracker.acknowledged(C, 1, true);
        assertTrue(done.join());
    }

    @Test
    void aMemberThatLeftIsNoLongerWaitedFor() {
        CompletableFuture<Boolean> done = expect(1, 10);
        tracker.acknowledged(B, 1, true);
        tracker.view(Set.of(B));
        assertTrue(done.join());
        CompletableFuture<Boolean> afterwards = expect(2, 10);
        tracker.acknowledged(B, 2, true);
        assertTrue(afterwards.join(), "a member that is not in the view is not expected at all");
    }

    @Test
    void aChangeNobodyHoldsIsCompleteButNotHeld() {
        CompletableFuture<Boolean> done = expect(1, 10);
        tracker.view(Set.of());
        assertFalse(done.join());
        assertFalse(expect(2, 10).join(), "alone in the view");
    }

    @Test
    void aParkedChangeIsNoLongerWaitedForAndDoesNotCount() {
        CompletableFuture<Boolean> onlyParked = expect(1, 10);
        tracker.acknowledged(B, 1, false);
        tracker.acknowledged(C, 1, false);
        assertFalse(onlyParked.join());
        CompletableFuture<Boolean> oneHolds = expect(2, 10);
        tracker.acknowledged(B, 2, false);
        tracker.acknowledged(C, 2, true);
        assertTrue(oneHolds.join());
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
    void futuresAreCompletedOutsideTheLock() throws Exception {
        CompletableFuture<Boolean> done = expect(1, 10);
        CompletableFuture<Void> other = done.thenAccept(held -> CompletableFuture.supplyAsync(() -> {
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

    private CompletableFuture<Boolean> expect(long number, int bytes) {
        return expect(number, 7, bytes);
    }

    private CompletableFuture<Boolean> expect(long number, long scope, int bytes) {
        return tracker.expect(new ScopeHeader(scope, number, 0), bytes, Set.of(B, C));
    }
}
