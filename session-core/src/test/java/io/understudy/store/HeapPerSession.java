package io.understudy.store;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.TimeSource;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Update;
import io.understudy.wire.WireCodec;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import javax.management.ObjectName;

/**
 * Prints how many bytes of heap a replica takes beside its attributes' values, by the JVM's histogram of live objects
 * before and after a store was filled: with sessions as they come from the network, each changed once after it began.
 * Or how many a tombstone takes, of an expired session, after what the session held is gone.
 */
final class HeapPerSession {

    private static final int SESSIONS = 20_000;

    /** No multiple of 8, so that arrays are padded as they are on average. */
    private static final int VALUE_BYTES = 100;

    /** Instead of a number of attributes. */
    static final String TOMBSTONES = "tombstones";

    private static final class Hours implements TimeSource {
        private long passed;

        @Override
        public long wallMillis() {
            return passed * 3_600_000;
        }

        @Override
        public long monotonicMillis() {
            return passed * 3_600_000;
        }
    }

    private HeapPerSession() {}

    /** @param args the number of attributes, or {@link #TOMBSTONES} */
    public static void main(String[] args) throws Exception {
        if (args[0].equals(TOMBSTONES)) {
            tombstones();
            return;
        }
        int attributes = Integer.parseInt(args[0]);
        fill(new ReplicaStore(TimeSource.SYSTEM, new Tombstones(1000, 1000)), 100, attributes, 1);
        ReplicaStore store = new ReplicaStore(TimeSource.SYSTEM, new Tombstones(1000, 1000));
        long before = liveBytes();
        fill(store, SESSIONS, attributes, 1);
        long taken = liveBytes() - before;
        if (store.liveCount() != SESSIONS) {
            throw new IllegalStateException("expected " + SESSIONS + " sessions, there are " + store.liveCount());
        }
        long beside = taken - (long) SESSIONS * attributes * VALUE_BYTES;
        System.out.println("heap beside values: " + beside / SESSIONS);
    }

    /** Measures the second {@link #SESSIONS}: after the first ones, the store remembers as many ids of ended sessions as it may. */
    private static void tombstones() throws Exception {
        Hours time = new Hours();
        ReplicaStore store = new ReplicaStore(time, new Tombstones(Long.MAX_VALUE / 8, 2 * SESSIONS));
        end(store, time, 1);
        long before = liveBytes();
        end(store, time, 2);
        long taken = liveBytes() - before;
        if (store.stream().filter(stored -> stored.replica().ended()).count() != 2 * SESSIONS) {
            throw new IllegalStateException("expected " + 2 * SESSIONS + " tombstones");
        }
        System.out.println("heap of a tombstone: " + taken / SESSIONS);
    }

    private static void end(ReplicaStore store, Hours time, long seed) throws Exception {
        fill(store, SESSIONS, 1, seed);
        store.stream()
                .filter(stored -> stored.replica().live())
                .toList()
                .forEach(stored -> store.merge(
                        SessionDelta.expired(
                                stored.replica().key(), stored.replica().lastUse()),
                        0,
                        0));
        time.passed++;
        store.sweep();
    }

    private static void fill(ReplicaStore store, int sessions, int attributes, long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < sessions; i++) {
            SessionKey key = new SessionKey(random.nextLong());
            Stamp created = new Stamp(1000L + i, 1);
            SessionDelta begin = SessionDelta.created(
                    key, created, UUID.randomUUID().toString().replace("-", ""), 1800);
            merge(store, SessionDelta.join(begin, written(key, created, attributes)));
            merge(store, written(key, new Stamp(100_000L + i, 2), 1));
        }
    }

    private static SessionDelta written(SessionKey key, Stamp stamp, int attributes) {
        Map<String, StampedBytes> written = new HashMap<>();
        for (int i = 0; i < attributes; i++) {
            written.put("attribute-" + i, StampedBytes.of(stamp, new byte[VALUE_BYTES]));
        }
        return new SessionDelta(key, false, null, null, stamp, written, null);
    }

    private static void merge(ReplicaStore store, SessionDelta delta) throws Exception {
        byte[] frame = WireCodec.encode(new Change(1, new Update(0, 0, delta)), WireCodec.HIGHEST_VERSION);
        Update update = ((Change) WireCodec.decode(frame, 0, frame.length)).update();
        store.merge(update.delta(), update.ageMillis(), update.idleMillis());
    }

    private static long liveBytes() throws Exception {
        Object histogram = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        String[] lines = histogram.toString().strip().split("\n", -1);
        String[] total = lines[lines.length - 1].strip().split(" +", -1);
        if (!total[0].equals("Total")) {
            throw new IllegalStateException("the histogram ends with: " + lines[lines.length - 1]);
        }
        return Long.parseLong(total[2]);
    }
}
