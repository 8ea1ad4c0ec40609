package io.understudy.cluster.convergence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.store.ReplicaStore;
import io.understudy.store.Tombstones;
import io.understudy.testkit.MovedTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class DifferingBucketsTest {

    private static final int SESSIONS = 10_000;

    /** Changes whose news is under way when sums are compared: half of the buckets are touched. */
    private static final int UNDER_WAY = 180;

    private final Random random = new Random(5);
    private final List<SessionKey> keys = new ArrayList<>();
    private final ReplicaStore ours = store();
    private final ReplicaStore theirs = store();
    private final List<SessionDelta> underWay = new ArrayList<>();
    private long time = 1;

    private static ReplicaStore store() {
        return new ReplicaStore(new MovedTime(), new Tombstones(86_400_000, 3));
    }

    private SessionDelta write(SessionKey key) {
        StampedBytes value = StampedBytes.of(new Stamp(++time, 1), new byte[1]);
        SessionDelta written = new SessionDelta(key, false, null, null, null, Map.of("x", value), null);
        theirs.merge(written, 0, 0);
        return written;
    }

    /** What the last answer's changes were arrives, others begin. */
    private long[] underLoad() {
        underWay.forEach(delta -> ours.merge(delta, 0, 0));
        underWay.clear();
        for (int i = 0; i < UNDER_WAY; i++) {
            underWay.add(write(keys.get(1 + random.nextInt(SESSIONS - 1))));
        }
        return theirs.comparison().sums();
    }

    private void fill() {
        for (int i = 0; i < SESSIONS; i++) {
            SessionKey key = new SessionKey(random.nextLong());
            SessionDelta created = SessionDelta.created(key, new Stamp(1, 1), "s" + i, 1800);
            ours.merge(created, 0, 0);
            theirs.merge(created, 0, 0);
            keys.add(key);
        }
    }

    @Test
    void changesThatAreUnderWayDoNotMakeAllBeCompared() throws Exception {
        fill();
        SessionKey missed = keys.get(0);
        write(missed);
        BitSet differing = DifferingBuckets.of(ours.comparison(), this::underLoad);
        assertTrue(differing.get(SessionDigest.bucket(missed)), "what was missed is in " + differing);
        assertTrue(differing.cardinality() <= SessionDigest.BUCKETS / 16, differing + ": nearly all is ruled out");
    }

    @Test
    void whatIsEqualIsAskedForOnceAndWhatStaysDifferentTwice() throws Exception {
        fill();
        int[] asked = new int[1];
        DifferingBuckets.Sums quiet = () -> {
            asked[0]++;
            return theirs.comparison().sums();
        };
        assertTrue(DifferingBuckets.of(ours.comparison(), quiet).isEmpty());
        assertEquals(1, asked[0]);
        assertEquals(
                SessionDigest.BUCKETS,
                DifferingBuckets.of(store().comparison(), quiet).cardinality());
        assertEquals(3, asked[0], "all differ, twice");
    }
}
