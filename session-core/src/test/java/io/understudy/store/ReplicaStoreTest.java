package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.Renames;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.TimeSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicaStoreTest {

    private static final SessionKey KEY = new SessionKey(7);
    private static final long HORIZON_MILLIS = 24L * 60 * 60 * 1000;

    /** A clock moved by hand. */
    private static final class HandClock implements TimeSource {
        private long now = 1_000_000;

        @Override
        public long wallMillis() {
            return now;
        }

        @Override
        public long monotonicMillis() {
            return now;
        }
    }

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

    private static SessionDelta whole(long time, String id) {
        Stamp stamp = new Stamp(time, 1);
        return new SessionDelta(
                KEY,
                true,
                new Stamped<>(stamp, id),
                new Stamped<>(stamp, 1800),
                stamp,
                Map.of("x", StampedBytes.of(stamp, new byte[3])),
                null);
    }

    private static SessionDelta renamed(long time, String id) {
        List<Stamp> replaced = time > 1 ? List.of(new Stamp(1, 1)) : List.of();
        return new SessionDelta(
                KEY,
                false,
                new Stamped<>(new Stamp(time, 1), id),
                null,
                null,
                Map.of(),
                null,
                null,
                Renames.read(List.of(), replaced, null));
    }
}
