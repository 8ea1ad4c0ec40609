package io.understudy.store;

import com.sun.management.ThreadMXBean;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import java.lang.management.ManagementFactory;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Prints what a store of many sessions and tombstones costs a member beside requests: a sweep each second, on the timer thread, and
 * all digests, in pages, for a member that joins.
 */
final class StoreCost {

    /** Digests in one page, and one more to see whether there are more: as members ask for them. */
    private static final int PAGE = 8193;

    private static final int SWEEPS = 60;
    private static final long HORIZON_MILLIS = 24L * 60 * 60 * 1000;
    private static final int MINUTE_MILLIS = 60_000;

    /** Processor time and garbage of this thread. */
    private static final class Spent {
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        private final long nanos = THREADS.getCurrentThreadCpuTime();
        private final long bytes = THREADS.getCurrentThreadAllocatedBytes();

        long micros() {
            return (THREADS.getCurrentThreadCpuTime() - nanos) / 1000;
        }

        long bytes() {
            return THREADS.getCurrentThreadAllocatedBytes() - bytes;
        }
    }

    private StoreCost() {}

    /** @param args how many sessions, and tombstones */
    public static void main(String[] args) {
        int sessions = Integer.parseInt(args[0]);
        int tombstones = Integer.parseInt(args[1]);
        HandClock clock = new HandClock();
        clock.now = 10 * HORIZON_MILLIS; // All may have begun by then.
        ReplicaStore store = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 500_000));
        fill(store, sessions, tombstones);
        clock.now += 2 * MINUTE_MILLIS;
        store.sweep(); // What expired sessions held goes.
        store.sweep();
        StringBuilder figures = new StringBuilder("figures:");
        sweeps(store, clock, figures);
        digests(store, sessions + tombstones, new StringBuilder()); // Warm, as a member is that serves.
        digests(store, sessions + tombstones, figures);
        System.out.println(figures);
    }

    private static void sweeps(ReplicaStore store, HandClock clock, StringBuilder figures) {
        int looked = 0;
        Spent spent = new Spent();
        for (int i = 0; i < SWEEPS; i++) {
            clock.now += 1000;
            looked += store.sweep();
        }
        figures.append(" sweep_us=").append(spent.micros() / SWEEPS);
        figures.append(" sweep_bytes=").append(spent.bytes() / SWEEPS);
        figures.append(" looked=").append(looked);
    }

    private static void digests(ReplicaStore store, int expected, StringBuilder figures) {
        Comparison comparison = store.comparison();
        SessionKey after = null;
        int pages = 0;
        int found = 0;
        boolean more = true;
        Spent spent = new Spent();
        while (more) {
            List<SessionDigest> page = comparison.digests(all(), after, PAGE);
            more = page.size() == PAGE;
            int taken = more ? PAGE - 1 : page.size();
            found += taken;
            after = page.get(taken - 1).key();
            pages++;
        }
        if (found != expected) {
            throw new IllegalStateException("expected " + expected + " digests, there were " + found);
        }
        figures.append(" pages=").append(pages);
        figures.append(" digests_ms=").append(spent.micros() / 1000);
        figures.append(" page_bytes=").append(spent.bytes() / pages);
    }

    private static BitSet all() {
        BitSet all = new BitSet(SessionDigest.BUCKETS);
        all.set(0, SessionDigest.BUCKETS);
        return all;
    }

    private static void fill(ReplicaStore store, int sessions, int tombstones) {
        SplittableRandom random = new SplittableRandom(1);
        byte[] value = new byte[16];
        for (int i = 0; i < sessions + tombstones; i++) {
            SessionKey key = new SessionKey(random.nextLong());
            Stamp created = new Stamp(1000L + i, 1);
            SessionDelta begun = SessionDelta.join(
                    SessionDelta.created(key, created, "id-" + i, 1800),
                    new SessionDelta(
                            key, false, null, null, created, Map.of("user", StampedBytes.of(created, value)), null));
            store.merge(begun, MINUTE_MILLIS, 0);
            if (i >= sessions) {
                // Expired or logged out, within the minute that comes next.
                store.merge(
                        i % 2 == 0 ? SessionDelta.expired(key, created) : SessionDelta.invalidated(key),
                        MINUTE_MILLIS,
                        random.nextInt(MINUTE_MILLIS));
            }
        }
    }
}
