package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.HybridClock;
import io.understudy.replica.Renames;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
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
    void ofTwoSessionsWithOneIdTheEarlierKeepsItWhicheverComesFirst() {
        SessionKey other = new SessionKey(9);
        SessionDelta early = created(other, 5, "s");
        SessionDelta late = created(KEY, 6, "s");
        for (List<SessionDelta> order : List.of(List.of(early, late), List.of(late, early))) {
            ReplicaStore member = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
            assertEquals(List.of(), member.merge(order.get(0), 0, 0).shared());
            assertEquals(List.of("s"), member.merge(order.get(1), 0, 0).shared());
            member.merge(write(KEY, "x", 7), 0, 0);
            member.merge(write(other, "x", 6), 0, 0);
            member.merge(write(other, "y", 6), 0, 0);
            assertEquals(other, member.find("s").replica().key());
            List<SessionDelta> united = member.united("s");
            united.forEach(delta -> member.merge(delta, 0, 0));
            united.forEach(delta -> member.merge(delta, 0, 0));
            assertEquals(other, member.find("s").replica().key());
            assertTrue(member.get(KEY).replica().invalidated());
            assertEquals(7, member.find("s").replica().attributeTime("x"), "the later write of both");
            assertEquals(6, member.find("s").replica().attributeTime("y"));
            assertEquals(1, member.liveCount());
            assertEquals(List.of(), member.united("s"));
        }
    }

    @Test
    void whatWasWrittenToASessionThatGoesOnAsAnotherReachesThat() {
        SessionKey other = new SessionKey(9);
        ReplicaStore uniting = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
        ReplicaStore writing = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
        for (ReplicaStore member : List.of(uniting, writing)) {
            member.merge(created(other, 5, "s"), 0, 0);
            member.merge(created(KEY, 6, "s"), 0, 0);
        }
        SessionDelta early = write(KEY, "early", 7);
        SessionDelta late = write(KEY, "late", 8);
        writing.merge(early, 0, 0); // Its news comes to the other member after that has united them.
        List<SessionDelta> united = uniting.united("s");
        for (ReplicaStore member : List.of(uniting, writing)) {
            united.forEach(delta -> member.merge(delta, 0, 0));
            assertTrue(member.get(KEY).replica().invalidated());
        }
        writing.merge(late, 0, 0);
        uniting.merge(early, 0, 0);
        uniting.merge(late, 0, 0);
        for (ReplicaStore member : List.of(uniting, writing)) {
            assertEquals(7, member.find("s").replica().attributeTime("early"));
            assertEquals(8, member.find("s").replica().attributeTime("late"));
        }
        assertEquals(
                uniting.get(other).replica().digest(),
                writing.get(other).replica().digest());
    }

    @Test
    void whatWaitsToBeSentBesideATombstoneReachesTheSessionItGoesOnAs() {
        SessionKey other = new SessionKey(9);
        SessionDelta written = write(KEY, "x", 7);
        SessionDelta united = SessionDelta.united(KEY, other);
        for (SessionDelta sent : List.of(written.followedBy(united), united.followedBy(written))) {
            ReplicaStore member = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
            member.merge(created(other, 5, "s"), 0, 0);
            member.merge(created(KEY, 6, "s"), 0, 0);
            member.merge(sent, 0, 0);
            assertEquals(7, member.find("s").replica().attributeTime("x"));
            assertTrue(member.get(KEY).replica().attributes().isEmpty(), "the tombstone holds nothing");
        }
        SessionDelta over = written.followedBy(SessionDelta.invalidated(KEY));
        assertTrue(over.attributes().isEmpty());
    }

    @Test
    void sessionsThatGoOnAsEachOtherInACircleEnd() {
        SessionKey other = new SessionKey(9);
        store.merge(SessionDelta.united(KEY, other), 0, 0);
        store.merge(SessionDelta.united(other, KEY), 0, 0);
        store.merge(write(KEY, "x", 7), 0, 0);
        assertEquals(0, store.liveCount());
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
    void aSettledTombstoneGoesEarlyAndOthersStay() {
        store.merge(whole(1, "s1"), 0, 0);
        clock.now += 1000;
        store.merge(SessionDelta.invalidated(KEY), 1000, 0);
        long ended = clock.now;
        clock.now += Tombstones.MINIMUM_LIFE_MILLIS + 1;
        store.tombstones().settled(ended, ended - 2000, List.of());
        store.sweep();
        assertNotNull(store.get(KEY), "not proven: it ended at that very time");
        store.tombstones().settled(ended + 1, ended - 1000, List.of());
        store.sweep();
        assertNotNull(store.get(KEY), "a member that may have held it is missing");
        store.tombstones().settled(ended + 1, ended - 2000, List.of());
        store.sweep();
        assertNull(store.get(KEY));
        store.tombstones().apart(ended + 100_000);
        assertFalse(store.merge(whole(1, "s1"), clock.now - ended + 1000, 0).refused(), "settled is not forgotten");
    }

    @Test
    void aTombstoneThatADepartedMemberMayLackStaysUntilThatIsBackAndHasIt() {
        store.merge(whole(1, "s1"), 0, 0);
        SessionKey later = new SessionKey(8);
        clock.now += 1000;
        long apart = clock.now;
        clock.now += 1000;
        store.merge(created(later, 2, "s8"), 0, 0);
        store.merge(SessionDelta.invalidated(KEY), 2000, 0);
        store.merge(SessionDelta.invalidated(later), 0, 0);
        clock.now += HORIZON_MILLIS + 1;
        store.tombstones().settled(clock.now, apart, List.of(apart));
        store.sweep();
        assertNotNull(store.get(KEY), "it began shortly before");
        assertNull(store.get(later), "the other one never had it");
        store.tombstones().apart(apart);
        store.tombstones().settled(apart, apart, List.of());
        store.sweep();
        store.merge(whole(1, "s1"), clock.now - apart + 1000, 0);
        assertEquals(0, store.liveCount(), "nothing is resurrected");
        store.tombstones().settled(apart + 1, apart, List.of());
        store.sweep();
        assertNull(store.get(KEY), "the other one has it");
    }

    /** Members compare one after the other: one has it when one compares with it, and would lack it when the next one does. */
    @Test
    void noTombstoneOfASeparationIsForgottenBetweenItsEndAndTheProof() {
        long created = clock.now;
        store.merge(whole(1, "s1"), 0, 0);
        clock.now += 2 * Tombstones.MARGIN_MILLIS;
        long apart = clock.now;
        clock.now += 1000;
        store.merge(SessionDelta.invalidated(KEY), clock.now - created, 0);
        store.tombstones().settled(clock.now, apart, List.of(apart));
        store.sweep();
        clock.now += HORIZON_MILLIS - 1;
        store.tombstones().apart(apart);
        clock.now += 2;
        store.tombstones().settled(apart, apart, List.of());
        store.sweep();
        assertNotNull(store.get(KEY), "who is back may lack it");
        store.tombstones().settled(apart + 1, apart, List.of());
        store.sweep();
        assertNull(store.get(KEY), "the other one has it");
    }

    @Test
    void aSessionWhoseEndWasForgottenDuringASeparationIsRefusedAfterIt() {
        long created = clock.now;
        long margin = Tombstones.MARGIN_MILLIS;
        store.merge(whole(1, "s1"), 0, 0);
        clock.now += 2 * margin;
        long apart = clock.now;
        clock.now += 1000;
        store.merge(SessionDelta.invalidated(KEY), clock.now - created, 0);
        clock.now += HORIZON_MILLIS + 1;
        store.sweep();
        assertNull(store.get(KEY));
        store.tombstones().apart(apart);
        Merged young = store.merge(whole(1, "s1"), clock.now - apart + margin, 0);
        assertFalse(young.refused(), "so young that it may never have been here");
        Merged update = store.merge(write(new SessionKey(8), "x", 3), 0, 0);
        assertFalse(update.refused(), "an update waits for the whole session");
        SessionDelta other = created(new SessionKey(8), 1, "s8");
        Merged merged = store.merge(other, clock.now - created, 0);
        assertTrue(merged.refused());
        assertTrue(merged.after().replica().invalidated());
        assertNull(store.find("s8"));
        assertEquals(clock.now, merged.after().endedAt(), "its tombstone stays as long as any");
    }

    @Test
    void anExpiryThatWasForgottenRefusesNothing() {
        long created = clock.now;
        store.merge(whole(1, "s1"), 0, 0);
        clock.now += 2 * Tombstones.MARGIN_MILLIS;
        long apart = clock.now;
        store.merge(SessionDelta.expired(KEY, new Stamp(1, 1)), clock.now - created, 0);
        clock.now += HORIZON_MILLIS + 1;
        store.sweep();
        assertNull(store.get(KEY));
        store.tombstones().apart(apart);
        assertFalse(store.merge(whole(2, "s1"), clock.now - created, 0).refused(), "it was used elsewhere");
    }

    @Test
    void theOldestTombstonesGoWhenThereAreTooMany() {
        for (int i = 0; i < 5; i++) {
            clock.now += 1000;
            store.merge(SessionDelta.invalidated(new SessionKey(i)), 0, 0);
        }
        store.sweep();
        assertEquals(3, store.stream().count());
        assertNull(store.get(new SessionKey(1)));
        assertNotNull(store.get(new SessionKey(2)));
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

    private static SessionDelta created(SessionKey key, long time, String id) {
        return SessionDelta.created(key, new Stamp(time, 1), id, 1800);
    }

    private static SessionDelta write(SessionKey key, String name, long time) {
        return new SessionDelta(
                key, false, null, null, null, Map.of(name, StampedBytes.of(new Stamp(time, 1), new byte[1])), null);
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
