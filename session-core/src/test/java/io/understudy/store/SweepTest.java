package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.store.Tombstones.Stay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sweep takes away what a look at all entries would, and looks at those alone of which something is due. */
@Tag("rules")
class SweepTest {

    private static final long HORIZON_MILLIS = 24L * 60 * 60 * 1000;
    private static final int BOUND = 100;
    private static final int SESSIONS = 300;
    private static final int STEPS = 1500;

    private final HandClock time = new HandClock(100 * HORIZON_MILLIS);

    private final Tombstones rule = new Tombstones(HORIZON_MILLIS, BOUND);
    private final ReplicaStore store = new ReplicaStore(time, rule);

    private void live(int session) {
        store.merge(Carts.begun(session, new Stamp(1 + session, 1), new byte[1]), 0, 0);
    }

    private void expire(int session) {
        store.merge(SessionDelta.expired(Carts.key(session), new Stamp(1 + session, 1)), 0, 0);
    }

    @Test
    void aSweepLooksAtNothingThatIsNotDue() {
        for (int i = 0; i < SESSIONS; i++) {
            live(i);
        }
        for (int i = 0; i < BOUND; i++) {
            expire(i);
        }
        store.merge(SessionDelta.touched(Carts.key(SESSIONS), new Stamp(1, 1)), 0, 0);
        assertEquals(0, store.sweep());
        time.now += ReplicaStore.HOLLOW_AFTER_MILLIS;
        assertEquals(0, store.sweep());
        time.now++;
        assertEquals(BOUND, store.sweep(), "what expired sessions held goes once");
        assertEquals(0, store.sweep());
        time.now += ReplicaStore.PARKED_MILLIS;
        assertEquals(1, store.sweep(), "the parked one; no tombstone is proven to be anywhere");
        time.now += Tombstones.MINIMUM_LIFE_MILLIS;
        assertEquals(0, store.sweep());
        rule.settled(time.now, Long.MAX_VALUE, List.of());
        assertEquals(BOUND, store.sweep(), "who can have held the sessions is not known");
        assertEquals(0, store.sweep());
        rule.settled(time.now + 1, Long.MAX_VALUE, List.of());
        assertEquals(0, store.sweep(), "a later proof is none of those before");
        rule.settled(time.now + 1, 0, List.of());
        assertEquals(BOUND, store.sweep(), "now it is known");
        assertEquals(SESSIONS - BOUND, store.stream().count());
    }

    @Test
    void aSweepOfTooManyTombstonesLooksAtTheOldestOnly() {
        for (int i = 0; i < SESSIONS; i++) {
            store.merge(SessionDelta.invalidated(Carts.key(i)), 0, 0);
            time.now++;
        }
        assertEquals(SESSIONS - BOUND, store.sweep());
        store.merge(SessionDelta.invalidated(Carts.key(SESSIONS)), 0, 0);
        assertEquals(1, store.sweep());
        assertNull(store.header(Carts.key(SESSIONS - BOUND)));
        assertEquals(BOUND, store.stream().count());
    }

    @Test
    void aTombstoneWhoseProofIsTakenBackGoesWithTheNext() {
        live(1);
        expire(1);
        time.now += Tombstones.MINIMUM_LIFE_MILLIS + 1;
        rule.settled(time.now, time.now, List.of());
        store.sweep();
        rule.settled(Long.MIN_VALUE, 0, List.of());
        store.sweep();
        assertEquals(1, store.stream().count(), "a member joined that is not proven to hold it");
        rule.settled(time.now, 0, List.of());
        store.sweep();
        assertEquals(0, store.stream().count());
    }

    @Test
    void noTombstoneStaysPastTheLastHorizon() {
        live(1);
        long apart = time.now;
        expire(1);
        rule.settled(time.now, time.now, List.of(apart));
        time.now += 7 * HORIZON_MILLIS;
        store.sweep();
        assertEquals(0, store.sweep());
        assertEquals(1, store.stream().count(), "the member that is missing may have the session");
        time.now++;
        assertEquals(1, store.sweep());
        assertEquals(0, store.stream().count());
    }

    @Test
    void aSweepTakesAwayWhatALookAtAllWould() {
        int gone = 0;
        for (int run = 0; run < 20; run++) {
            SweepTest one = new SweepTest();
            gone += one.runs(new SplittableRandom(run));
        }
        assertTrue(gone > 1000, gone + " entries went");
    }

    private int runs(SplittableRandom random) {
        List<Long> missing = new ArrayList<>();
        int gone = 0;
        for (int i = 0; i < STEPS; i++) {
            int session = random.nextInt(SESSIONS);
            SessionKey key = Carts.key(session);
            long age = random.nextLong(HORIZON_MILLIS / 4);
            long idle = random.nextInt(8) == 0 ? random.nextLong(9 * HORIZON_MILLIS) : random.nextLong(age + 1);
            Stamp stamp = new Stamp(1 + i, 1);
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> store.pulled(Carts.begun(session, stamp, new byte[1]), age, idle);
                case 3, 4 -> store.pulled(SessionDelta.expired(key, stamp), age, idle);
                case 5 -> store.pulled(SessionDelta.invalidated(key), age, idle);
                case 6 -> store.pulled(SessionDelta.touched(key, stamp), age, idle);
                case 7 -> store.pulled(Carts.written(session, stamp, new byte[2]), age, idle);
                case 8 ->
                    time.now += random.nextLong(random.nextInt(10) == 0 ? 2 * HORIZON_MILLIS : HORIZON_MILLIS / 50);
                case 9 -> {
                    if (random.nextBoolean() && !missing.isEmpty()) {
                        rule.apart(missing.remove(random.nextInt(missing.size())));
                    } else {
                        missing.add(time.now - random.nextLong(HORIZON_MILLIS / 100));
                    }
                }
                case 10 -> {
                    long proven =
                            random.nextInt(3) == 0 ? Long.MIN_VALUE : time.now - random.nextLong(HORIZON_MILLIS / 10);
                    rule.settled(proven, time.now - random.nextLong(HORIZON_MILLIS / 2), missing);
                }
                default -> gone += sweep();
            }
        }
        return gone;
    }

    private int sweep() {
        Set<SessionKey> expected = left();
        Set<SessionKey> before = keys(store.stream().toList());
        store.sweep();
        List<StoredReplica> after = store.stream().toList();
        assertEquals(expected, keys(after));
        for (StoredReplica stored : after) {
            if (stored.replica().ended() && time.now - stored.endedAt() > ReplicaStore.HOLLOW_AFTER_MILLIS) {
                assertEquals(stored.replica().hollow(), stored.replica());
            }
        }
        assertFalse(before.size() < after.size());
        return before.size() - after.size();
    }

    /** What stays by a look at each entry. */
    private Set<SessionKey> left() {
        List<StoredReplica> live = new ArrayList<>();
        List<StoredReplica> over = new ArrayList<>();
        store.stream().forEach(stored -> {
            if (stored.replica().ended()) {
                if (rule.stay(stored, time.now) != Stay.OVER) {
                    over.add(stored);
                }
            } else if (!stored.replica().parked() || time.now - stored.endedAt() <= ReplicaStore.PARKED_MILLIS) {
                live.add(stored);
            }
        });
        over.sort(Comparator.comparingLong(StoredReplica::endedAt)
                .thenComparing(stored -> stored.replica().key()));
        live.addAll(over.subList(Math.max(0, over.size() - BOUND), over.size()));
        return keys(live);
    }

    private static Set<SessionKey> keys(List<StoredReplica> entries) {
        return entries.stream().map(stored -> stored.replica().key()).collect(Collectors.toSet());
    }
}
