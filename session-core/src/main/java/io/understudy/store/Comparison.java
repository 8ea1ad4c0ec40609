package io.understudy.store;

import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What two members compare: sums of digests by bucket, then the digests of the buckets that differ, then the sessions
 * that differ. All that is held is compared but what others are not to know yet: live sessions, tombstones, and parked updates, which
 * may have reached only one of two members before their sender died.
 *
 * <p>Threads: any; each answer is of a moment of its own.
 */
public final class Comparison {

    private final Replicas store;

    Comparison(Replicas store) {
        this.store = store;
    }

    /** The sum of each bucket's digests. */
    public long[] sums() {
        return store.sums();
    }

    /** The buckets whose sums are not alike here. */
    public BitSet differing(long[] theirs) {
        long[] ours = sums();
        BitSet buckets = new BitSet(SessionDigest.BUCKETS);
        for (int bucket = 0; bucket < ours.length; bucket++) {
            buckets.set(bucket, ours[bucket] != theirs[bucket]);
        }
        return buckets;
    }

    /**
     * The first digests of the sessions in these buckets, in ascending order of keys.
     *
     * @param after they have greater keys than this
     * @param limit so many at most; what it costs depends on this, and not on how many sessions there are
     */
    public List<SessionDigest> digests(BitSet buckets, @Nullable SessionKey after, int limit) {
        List<SessionDigest> digests = new ArrayList<>();
        int first = after == null ? 0 : SessionDigest.bucket(after);
        for (int bucket = next(buckets, first);
                bucket >= 0 && digests.size() < limit;
                bucket = next(buckets, bucket + 1)) {
            for (StoredReplica stored : store.compared(bucket, after, limit - digests.size())) {
                SessionReplica replica = stored.replica();
                digests.add(new SessionDigest(replica.key(), replica.digest()));
            }
        }
        return digests;
    }

    /** What comes from the network may name buckets that there are not. */
    private static int next(BitSet buckets, int from) {
        int next = buckets.nextSetBit(from);
        return next < SessionDigest.BUCKETS ? next : -1;
    }

    /**
     * The sessions that the other member does not hold as this one does.
     *
     * @param changedBefore leaves out what changed later here, in this node's monotonic milliseconds: the change may
     *     still be on its way to the other member
     */
    public List<SessionKey> toPull(List<SessionDigest> theirs, long changedBefore) {
        List<SessionKey> different = new ArrayList<>();
        for (SessionDigest digest : theirs) {
            StoredReplica stored = store.quietly(digest.key());
            if (stored == null
                    || (stored.replica().digest() != digest.hash()
                            && (stored.replica().parked() || stored.changedAt() <= changedBefore))) {
                different.add(digest.key());
            }
        }
        return different;
    }

    /** The digests of the tombstones in these buckets that are here since {@code before} or longer; to be changed. */
    public Map<SessionKey, Long> tombstones(BitSet buckets, long before) {
        Map<SessionKey, Long> tombstones = new HashMap<>();
        for (int bucket = next(buckets, 0); bucket >= 0; bucket = next(buckets, bucket + 1)) {
            for (StoredReplica stored : store.compared(bucket, null, Integer.MAX_VALUE)) {
                SessionReplica replica = stored.replica();
                if (replica.ended() && stored.endedAt() <= before) {
                    tombstones.put(replica.key(), replica.digest());
                }
            }
        }
        return tombstones;
    }
}
