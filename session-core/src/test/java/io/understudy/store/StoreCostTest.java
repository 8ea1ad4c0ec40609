package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.Stamp;
import java.lang.management.ManagementFactory;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is done beside requests costs what there is to do, and not what is held: counted in garbage, and in entries looked at. */
@Tag("rules")
class StoreCostTest {

    private static final int FEW = 1000;
    private static final int MANY = 20_000;

    /** Far less than a byte for each of many. */
    private static final long LITTLE_BYTES = 10_000;

    private static final long HORIZON_MILLIS = 24L * 60 * 60 * 1000;

    private final HandClock time = new HandClock(10 * HORIZON_MILLIS);

    private ReplicaStore filled(int sessions) {
        ReplicaStore store = new ReplicaStore(time, new Tombstones(HORIZON_MILLIS, MANY));
        for (int i = 0; i < sessions; i++) {
            store.merge(Carts.begun(i, new Stamp(1 + i, 1), new byte[1]), 0, 0);
        }
        return store;
    }

    private static BitSet allBuckets() {
        BitSet all = new BitSet();
        all.set(0, SessionDigest.BUCKETS);
        return all;
    }

    /** The least of some runs, in bytes: others load classes, and compile. */
    private static long garbage(Supplier<?> work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 5; run++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            Object result = work.get();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            assertTrue(result != null);
        }
        return least;
    }

    @Test
    void aPageOfDigestsCostsWhatItHolds() {
        Comparison few = filled(FEW).comparison();
        Comparison many = filled(MANY).comparison();
        List<SessionDigest> page = many.digests(allBuckets(), null, MANY / 2);
        for (SessionDigest from : List.of(page.get(0), page.get(MANY / 2 - 1))) {
            long ofFew = garbage(() -> few.digests(allBuckets(), from.key(), 10));
            long ofMany = garbage(() -> many.digests(allBuckets(), from.key(), 10));
            assertTrue(
                    ofMany < ofFew + LITTLE_BYTES,
                    ofMany + " bytes of garbage of " + MANY + " sessions, " + ofFew + " of " + FEW);
        }
    }

    @Test
    void aSweepMakesNoGarbageOfTombstonesThatStay() {
        ReplicaStore store = filled(MANY);
        for (int i = 0; i < MANY; i++) {
            store.merge(SessionDelta.expired(Carts.key(i), new Stamp(1 + i, 1)), 0, 0);
        }
        time.now += ReplicaStore.HOLLOW_AFTER_MILLIS + 1;
        store.sweep();
        assertEquals(0, store.attributeBytes());
        long garbage = garbage(() -> {
            time.now += 1000;
            store.sweep();
            return store;
        });
        assertTrue(garbage < LITTLE_BYTES, garbage + " bytes of garbage each second");
    }

    @Test
    void aSweepOfTooManyTombstonesMakesNoGarbageOfAll() {
        ReplicaStore store = new ReplicaStore(time, new Tombstones(HORIZON_MILLIS, MANY));
        for (int i = 0; i < MANY; i++) {
            store.merge(SessionDelta.invalidated(Carts.key(i)), 0, 0);
            time.now++;
        }
        int[] more = {MANY};
        long garbage = garbage(() -> {
            store.merge(SessionDelta.invalidated(Carts.key(more[0]++)), 0, 0);
            time.now++;
            store.sweep();
            return store;
        });
        assertEquals(MANY, store.stream().count());
        assertTrue(garbage < LITTLE_BYTES, garbage + " bytes of garbage for one tombstone more");
    }
}
