package io.understudy.store;

import static io.understudy.store.Deltas.KEY;
import static io.understudy.store.Deltas.created;
import static io.understudy.store.Deltas.whole;
import static io.understudy.store.Deltas.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long a store knows that a session ended. */
@Tag("rules")
class TombstonesTest {

    private static final long HORIZON_MILLIS = 24L * 60 * 60 * 1000;

    private final HandClock clock = new HandClock();
    private final ReplicaStore store = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));

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
}
