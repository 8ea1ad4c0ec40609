package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.testkit.MovedTime;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class ComparisonTest {

    private static final Duration HORIZON = Duration.ofHours(24);

    private final MovedTime time = new MovedTime();
    private final ReplicaStore store = store();

    private ReplicaStore store() {
        return new ReplicaStore(time, new Tombstones(HORIZON.toMillis(), 3));
    }

    @Test
    void comparisonFindsWhatDiffersAndNothingElse() {
        ReplicaStore other = store();
        for (ReplicaStore member : List.of(store, other)) {
            member.merge(created(new SessionKey(1L << 56), 1, "a"), 0, 0);
            member.merge(created(new SessionKey(2L << 56), 1, "b"), 0, 0);
        }
        assertTrue(store.comparison().differing(other.comparison().sums()).isEmpty());
        other.merge(SessionDelta.touched(new SessionKey(1L << 56), new Stamp(9, 1)), 0, 0);
        assertTrue(store.comparison().differing(other.comparison().sums()).isEmpty(), "a use");
        other.merge(write(new SessionKey(2L << 56), "x", 5), 0, 0);
        BitSet differing = store.comparison().differing(other.comparison().sums());
        assertEquals(BitSet.valueOf(new long[] {4}), differing);
        List<SessionDigest> theirs = other.comparison().digests(differing, null, 10);
        assertEquals(List.of(new SessionKey(2L << 56)), store.comparison().toPull(theirs, time.monotonicMillis()));
        assertEquals(List.of(), store.comparison().toPull(theirs, time.monotonicMillis() - 1), "changed here just now");
        other.merge(SessionDelta.invalidated(new SessionKey(7L << 56)), 0, 0);
        assertEquals(
                List.of(new SessionKey(7L << 56)),
                store.comparison().toPull(other.comparison().digests(all(), null, 10), time.monotonicMillis() - 1),
                "what is not known here is always pulled");
        assertEquals(
                1, other.comparison().tombstones(all(), time.monotonicMillis()).size());
        assertEquals(
                0,
                other.comparison().tombstones(all(), time.monotonicMillis() - 1).size());
        assertEquals(
                1,
                other.comparison().digests(all(), new SessionKey(2L << 56), 10).size());
    }

    private static BitSet all() {
        BitSet all = new BitSet();
        all.set(0, SessionDigest.BUCKETS);
        return all;
    }

    /** The sums are kept up to date by each change, and are what a look at all entries would give. */
    @Test
    void sumsAreThoseOfAllEntriesWhateverHappens() {
        Random random = new Random(11);
        List<SessionKey> keys = Stream.generate(() -> new SessionKey(random.nextLong()))
                .limit(20)
                .toList();
        for (int i = 0; i < 5000; i++) {
            SessionKey key = keys.get(random.nextInt(keys.size()));
            Stamp stamp = new Stamp(random.nextInt(50), random.nextInt(3));
            switch (random.nextInt(12)) {
                case 0, 1 -> store.merge(SessionDelta.created(key, stamp, "s" + random.nextInt(30), 1800), 0, 0);
                case 2 -> store.create(SessionDelta.created(key, stamp, "u" + random.nextInt(30), 1800));
                case 3 -> store.share(key);
                case 4 -> store.forget(key);
                case 5 -> store.merge(SessionDelta.expired(key, stamp), 0, 0);
                case 6 -> store.merge(SessionDelta.touched(key, stamp), 0, 0);
                case 7 -> store.merge(SessionDelta.invalidated(key), 0, random.nextInt(1000));
                case 8 -> {
                    time.advance(Duration.ofMillis(random.nextLong(HORIZON.toMillis() / 3)));
                    store.sweep();
                }
                default -> store.merge(write(key, "a" + random.nextInt(4), random.nextInt(50)), 0, 0);
            }
            assertArrayEquals(summed(), store.comparison().sums(), "after " + i + " changes");
        }
    }

    private long[] summed() {
        long[] sums = new long[SessionDigest.BUCKETS];
        store.comparison()
                .digests(all(), null, Integer.MAX_VALUE)
                .forEach(digest ->
                        sums[SessionDigest.bucket(digest.key())] += SessionDigest.share(digest.key(), digest.hash()));
        return sums;
    }

    private static SessionDelta created(SessionKey key, long stamp, String id) {
        return SessionDelta.created(key, new Stamp(stamp, 1), id, 1800);
    }

    private static SessionDelta write(SessionKey key, String name, long stamp) {
        return new SessionDelta(
                key, false, null, null, null, Map.of(name, StampedBytes.of(new Stamp(stamp, 1), new byte[1])), null);
    }
}
