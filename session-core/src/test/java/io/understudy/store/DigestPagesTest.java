package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pages in which a member's digests are asked for. */
@Tag("rules")
class DigestPagesTest {

    private static final int SESSIONS = 2000;
    private static final int RUNS = 20;

    /** A store with sessions that are live, parked, over, forgotten, and known to this member alone. */
    private static ReplicaStore filled(SplittableRandom random) {
        ReplicaStore store = new ReplicaStore(TimeSource.SYSTEM, new Tombstones(1_000_000, SESSIONS));
        for (int i = 0; i < SESSIONS; i++) {
            SessionKey key = Carts.key(i);
            SessionDelta begun = Carts.begun(i, new Stamp(1 + i, 1), new byte[1]);
            switch (random.nextInt(7)) {
                case 0 -> store.merge(SessionDelta.touched(key, new Stamp(1 + i, 1)), 0, 0);
                case 1 -> store.merge(SessionDelta.invalidated(key), 0, 0);
                case 2 -> store.create(begun);
                case 3 -> {
                    store.create(begun);
                    store.share(key);
                }
                case 4 -> {
                    store.create(begun);
                    store.forget(key);
                }
                default -> store.merge(begun, 0, 0);
            }
        }
        return store;
    }

    private static BitSet buckets(SplittableRandom random) {
        BitSet buckets = new BitSet();
        for (int bucket = 0; bucket < SessionDigest.BUCKETS; bucket++) {
            buckets.set(bucket, random.nextInt(4) > 0);
        }
        return buckets;
    }

    private static List<StoredReplica> compared(ReplicaStore store, BitSet buckets) {
        return store.stream()
                .filter(stored -> !stored.unshared()
                        && buckets.get(SessionDigest.bucket(stored.replica().key())))
                .sorted(Comparator.comparing(stored -> stored.replica().key()))
                .toList();
    }

    private static List<SessionDigest> digests(List<StoredReplica> entries) {
        return entries.stream()
                .map(StoredReplica::replica)
                .map(replica -> new SessionDigest(replica.key(), replica.digest()))
                .toList();
    }

    @Test
    void pagesTogetherHoldAllThatIsCompared() {
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(run);
            ReplicaStore store = filled(random);
            BitSet buckets = buckets(random);
            List<SessionDigest> found = new ArrayList<>();
            int limit = 1 + random.nextInt(100);
            List<SessionDigest> page = store.comparison().digests(buckets, null, limit);
            while (!page.isEmpty()) {
                assertTrue(page.size() <= limit);
                found.addAll(page);
                page = store.comparison()
                        .digests(buckets, found.get(found.size() - 1).key(), limit);
            }
            assertEquals(digests(compared(store, buckets)), found, "run " + run);
        }
    }

    @Test
    void aPageIsFullUnlessItIsTheLast() {
        SplittableRandom random = new SplittableRandom(7);
        ReplicaStore store = filled(random);
        BitSet buckets = buckets(random);
        List<SessionDigest> all = digests(compared(store, buckets));
        for (int limit : new int[] {1, 7, all.size() - 1, all.size()}) {
            assertEquals(all.subList(0, limit), store.comparison().digests(buckets, null, limit));
        }
        assertEquals(all, store.comparison().digests(buckets, null, all.size() + 1));
    }

    @Test
    void bucketsThatThereAreNotHaveNoDigests() {
        BitSet buckets = new BitSet();
        buckets.set(SessionDigest.BUCKETS, 2 * SessionDigest.BUCKETS);
        assertEquals(List.of(), filled(new SplittableRandom(8)).comparison().digests(buckets, null, 10));
    }

    @Test
    void tombstonesAreThoseOfTheBucketsAskedFor() {
        SplittableRandom random = new SplittableRandom(9);
        ReplicaStore store = filled(random);
        BitSet buckets = buckets(random);
        Map<SessionKey, Long> expected = compared(store, buckets).stream()
                .map(StoredReplica::replica)
                .filter(SessionReplica::ended)
                .collect(Collectors.toMap(SessionReplica::key, SessionReplica::digest));
        assertFalse(expected.isEmpty());
        assertEquals(expected, store.comparison().tombstones(buckets, Long.MAX_VALUE));
        assertEquals(Map.of(), store.comparison().tombstones(buckets, Long.MIN_VALUE));
    }

    @Test
    void keysAreSortedWhateverIsAddedAndRemoved() {
        SplittableRandom random = new SplittableRandom(10);
        SortedKeys keys = new SortedKeys();
        TreeSet<SessionKey> expected = new TreeSet<>();
        for (int i = 0; i < 20_000; i++) {
            // Some hundred at first, then few: it grows and shrinks.
            SessionKey key = new SessionKey(random.nextLong(500) << 55);
            if (random.nextInt(10) < (i < 10_000 ? 7 : 1)) {
                keys.add(key);
                expected.add(key);
            } else {
                keys.remove(key);
                expected.remove(key);
            }
            SessionKey after = new SessionKey(random.nextLong(500) << 55);
            int limit = random.nextInt(20);
            assertEquals(expected.tailSet(after, false).stream().limit(limit).toList(), keys.after(after, limit));
        }
        assertEquals(List.copyOf(expected), keys.after(null, Integer.MAX_VALUE));
    }
}
