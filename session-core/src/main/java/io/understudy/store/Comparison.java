package io.understudy.store;

import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What two members compare: sums of digests by bucket, then the digests of the buckets that differ, then the sessions
 * that differ. All that is held is compared but what others are not to know yet: live sessions, tombstones, and parked updates, which
 * may have reached only one of two members before their sender died.
 *
 * <p>Threads: any; each answer is of a moment of its own.
 */
public final class Comparison {

    private final ReplicaStore store;

    Comparison(ReplicaStore store) {
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

    /** Digests of the sessions in these buckets, in ascending order of keys. */
    public List<SessionDigest> digests(BitSet buckets, @Nullable SessionKey after, int limit) {
        return compared()
                .filter(replica -> buckets.get(SessionDigest.bucket(replica.key())))
                .filter(replica -> after == null || replica.key().compareTo(after) > 0)
                .sorted(Comparator.comparing(SessionReplica::key))
                .limit(limit)
                .map(replica -> new SessionDigest(replica.key(), replica.digest()))
                .toList();
    }

    /**
     * The sessions that the other member does not hold as this one does.
     *
     * @param changedBefore leaves out what changed later here, in this node's monotonic milliseconds: the other may not have
     *     heard of it yet
     */
    public List<SessionKey> toPull(List<SessionDigest> theirs, long changedBefore) {
        List<SessionKey> different = new ArrayList<>();
        for (SessionDigest digest : theirs) {
            StoredReplica stored = store.header(digest.key());
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
        if (!buckets.isEmpty()) {
            store.stream()
                    .filter(stored -> stored.replica().ended() && stored.endedAt() <= before)
                    .map(StoredReplica::replica)
                    .filter(replica -> buckets.get(SessionDigest.bucket(replica.key())))
                    .forEach(replica -> tombstones.put(replica.key(), replica.digest()));
        }
        return tombstones;
    }

    private Stream<SessionReplica> compared() {
        return store.stream().filter(stored -> !stored.unshared()).map(StoredReplica::replica);
    }
}
