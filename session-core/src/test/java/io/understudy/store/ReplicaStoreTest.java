package io.understudy.store;

import static io.understudy.store.Deltas.KEY;
import static io.understudy.store.Deltas.created;
import static io.understudy.store.Deltas.renamed;
import static io.understudy.store.Deltas.whole;
import static io.understudy.store.Deltas.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ReplicaStoreTest {

    private static final long HORIZON_MILLIS = 24L * 60 * 60 * 1000;

    private final HandClock clock = new HandClock();
    private final ReplicaStore store = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));

    @Test
    void aCompleteSessionIsFoundByItsId() {
        Merged merged = store.merge(whole(1, "s1"), 0, 0);
        assertNull(merged.before());
        assertEquals(KEY, store.find("s1").replica().key());
        assertSame(merged.after(), store.get(KEY));
        assertEquals(List.of("s1"), List.copyOf(store.ids()));
        assertEquals(1, store.liveCount());
    }

    @Test
    void aRenamedSessionIsFoundByItsNewIdOnly() {
        store.merge(whole(1, "s1"), 0, 0);
        store.merge(renamed(2, "s2"), 0, 0);
        assertNull(store.find("s1"));
        assertEquals(KEY, store.find("s2").replica().key());
        store.merge(renamed(1, "s0"), 0, 0);
        assertNull(store.find("s0"), "an earlier rename that came late, and which the later one had replaced");
        assertEquals(1, store.liveCount());
    }

    @Test
    void anEndedSessionIsNotFoundAndItsTombstoneStays() {
        store.merge(whole(1, "s1"), 0, 0);
        Merged merged = store.merge(SessionDelta.invalidated(KEY), 0, 0);
        assertTrue(merged.endedNow());
        assertNull(store.find("s1"));
        assertEquals(0, store.liveCount());
        assertTrue(store.get(KEY).replica().ended());
        assertFalse(store.merge(SessionDelta.invalidated(KEY), 0, 0).endedNow(), "it ends once");
        store.merge(whole(9, "s1"), 0, 0);
        assertNull(store.find("s1"));
    }

    /** Or a request that bears its id would ask the other members for it. */
    @Test
    void whoFindsASessionNoMoreFindsThatItsIdIsOver() {
        List<Boolean> over = new ArrayList<>();
        store.onEnd(before -> over.add(store.unknownIds().contains("s1")));
        store.merge(whole(1, "s1"), 0, 0);
        assertFalse(store.unknownIds().contains("s1"));
        store.merge(SessionDelta.invalidated(KEY), 0, 0);
        assertEquals(List.of(true), over);
    }

    @Test
    void aSessionKnownOnlyByUpdatesIsParkedUntilItIsWhole() {
        store.merge(renamed(2, "s2"), 5000, 100);
        assertTrue(store.get(KEY).replica().parked());
        assertNull(store.find("s2"));
        assertEquals(0, store.liveCount());
        clock.now += 40;
        store.merge(whole(1, "s1"), 8000, 30);
        assertEquals(KEY, store.find("s2").replica().key());
        assertEquals(clock.now - 8000, store.get(KEY).createdAt(), "the whole session knows when it began");
    }

    @Test
    void ageAndIdleTimeAreDurationsBackFromNow() {
        store.merge(whole(1, "s1"), 5000, 300);
        assertEquals(clock.now - 5000, store.get(KEY).createdAt());
        assertEquals(clock.now - 300, store.get(KEY).usedAt());
        long before = clock.now;
        clock.now += 10_000;
        store.merge(renamed(2, "s2"), 1, 1);
        assertEquals(before - 300, store.get(KEY).usedAt(), "a change without a use");
        store.merge(SessionDelta.touched(KEY, new Stamp(5, 1)), 1, 250);
        assertEquals(clock.now - 250, store.get(KEY).usedAt());
        assertEquals(before - 5000, store.get(KEY).createdAt());
        StoredReplica stored = store.get(KEY);
        assertSame(
                stored,
                store.merge(SessionDelta.touched(KEY, new Stamp(4, 1)), 1, 0).after(),
                "an earlier use");
    }

    @Test
    void aSweepTakesTheAttributesOfAnExpiredSessionThenItsTombstone() {
        store.merge(whole(1, "s1"), 0, 0);
        assertEquals(3, store.attributeBytes());
        clock.now += 500;
        store.merge(SessionDelta.expired(KEY, new Stamp(1, 1)), 0, 0);
        assertEquals(clock.now, store.get(KEY).endedAt());
        clock.now += ReplicaStore.HOLLOW_AFTER_MILLIS;
        store.sweep();
        assertEquals(3, store.attributeBytes(), "kept that long");
        clock.now++;
        store.sweep();
        assertEquals(0, store.attributeBytes());
        assertTrue(store.get(KEY).replica().ended());
        clock.now += HORIZON_MILLIS - ReplicaStore.HOLLOW_AFTER_MILLIS - 1;
        store.sweep();
        assertNotNull(store.get(KEY));
        clock.now++;
        store.sweep();
        assertNull(store.get(KEY));
        assertEquals(0, store.stream().count());
    }

    @Test
    void aLateUseBringsAnExpiredSessionBackWholeBeforeItIsHollow() {
        store.merge(whole(1, "s1"), 0, 0);
        store.merge(SessionDelta.expired(KEY, new Stamp(1, 1)), 0, 0);
        assertNull(store.find("s1"));
        store.merge(SessionDelta.touched(KEY, new Stamp(2, 1)), 0, 0);
        assertEquals(KEY, store.find("s1").replica().key());
        assertEquals(3, store.attributeBytes());
    }

    @Test
    void aLateUseOfAHollowSessionParksItUntilItIsFetched() {
        store.merge(whole(1, "s1"), 0, 0);
        store.merge(SessionDelta.expired(KEY, new Stamp(1, 1)), 0, 0);
        clock.now += ReplicaStore.HOLLOW_AFTER_MILLIS + 1;
        store.sweep();
        store.merge(SessionDelta.touched(KEY, new Stamp(2, 1)), 0, 0);
        assertNull(store.find("s1"));
        assertTrue(store.get(KEY).replica().parked());
        store.merge(whole(1, "s1"), 0, 0);
        assertEquals(KEY, store.find("s1").replica().key());
    }

    @Test
    void aSweepLeavesLiveSessionsAloneAndParkedOnesForAWhile() {
        store.merge(whole(1, "s1"), 0, 0);
        store.merge(SessionDelta.touched(new SessionKey(8), new Stamp(1, 1)), 0, 0);
        clock.now += ReplicaStore.PARKED_MILLIS;
        store.sweep();
        assertEquals(2, store.stream().count());
        clock.now += 2 * HORIZON_MILLIS;
        store.sweep();
        assertEquals(1, store.stream().count());
        assertEquals(3, store.attributeBytes());
    }

    @Test
    void ofConcurrentRenamesTheLaterIsTheIdAndTheOtherGoesOnUntilItsHolderHasTheId() {
        HybridClock here = new HybridClock(() -> 10, 1);
        HybridClock there = new HybridClock(() -> 20, 2);
        SessionReplica before =
                store.merge(created(KEY, 5, "old"), 0, 0).after().replica();
        SessionDelta first = before.renamed(here, "first");
        SessionDelta second = before.renamed(there, "second");
        store.merge(second, 0, 0);
        assertNull(store.find("old"));
        store.merge(first, 0, 0);
        assertEquals("second", store.find("first").replica().id());
        assertEquals("second", store.find("second").replica().id());
        assertNull(store.find("old"), "the id it was created with is no rival");
        assertEquals(1, store.liveCount());
        store.merge(store.get(KEY).replica().retired(here, "first"), 0, 0);
        assertNull(store.find("first"));
        assertEquals("second", store.find("second").replica().id());
        store.merge(first, 0, 0);
        assertNull(store.find("first"), "the rename once more");
        assertNull(store.get(KEY).replica().retired(here, "second"), "no rival");
        store.merge(store.get(KEY).replica().renamed(here, "third"), 0, 0);
        store.merge(second, 0, 0);
        assertEquals(List.of("third"), List.copyOf(store.ids()));
    }

    @Test
    void anExpiryOfASessionThatWasUsedLaterHasToBeAnswered() {
        store.merge(whole(5, "s1"), 0, 0);
        assertTrue(store.merge(SessionDelta.expired(KEY, new Stamp(4, 1)), 0, 0).yielded());
        assertFalse(
                store.merge(SessionDelta.expired(KEY, new Stamp(6, 1)), 0, 0).yielded());
    }

    @Test
    void anEqualStampWithAnotherValueIsCounted() {
        store.merge(whole(5, "s1"), 0, 0);
        assertEquals(0, store.merge(whole(5, "s1"), 0, 0).conflicts());
        assertEquals(1, store.merge(write(KEY, "x", 5), 0, 0).conflicts());
    }

    @Test
    void whatAPullBringsKeepsTheTimeItEnded() {
        store.pulled(SessionDelta.invalidated(KEY), 5000, 4000);
        assertEquals(clock.now - 4000, store.get(KEY).endedAt());
        store.pulled(write(new SessionKey(8), "x", 3), 5000, ReplicaStore.PARKED_MILLIS - 1);
        clock.now += 2;
        store.sweep();
        assertNull(store.get(new SessionKey(8)), "parked updates do not go from member to member for ever");
    }
}
