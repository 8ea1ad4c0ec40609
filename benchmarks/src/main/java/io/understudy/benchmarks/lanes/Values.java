package io.understudy.benchmarks.lanes;

import io.understudy.replica.SessionKey;
import io.understudy.replica.StampedBytes;
import io.understudy.store.ReplicaStore;
import io.understudy.store.StoredReplica;
import java.nio.ByteBuffer;
import java.util.Random;

/** The values that are sent: 1 KB, of which the first 8 bytes are the time they were sent at. */
public final class Values {

    static final int BYTES = 1024;

    private static final byte[] NOISE = new byte[BYTES];

    static {
        new Random(1).nextBytes(NOISE);
    }

    private Values() {}

    /** A value of its own, sent now. */
    public static byte[] now() {
        byte[] value = NOISE.clone();
        ByteBuffer.wrap(value).putLong(System.nanoTime());
        return value;
    }

    /** When the value that the store holds of this session was sent. */
    static long sentNanos(ReplicaStore store, long session) {
        StoredReplica stored = store.get(new SessionKey(session));
        StampedBytes value = stored == null ? null : stored.replica().attribute(UnderstudyLane.ATTRIBUTE);
        byte[] bytes = value == null ? null : value.bytes();
        if (bytes == null) {
            throw new IllegalStateException("session " + session + " was delivered, and is not in the store");
        }
        return ByteBuffer.wrap(bytes).getLong();
    }
}
