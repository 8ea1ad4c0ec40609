package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Few sessions come and go in many threads: what is kept beside the entries fits them at the end. */
@Tag("cluster")
class EntryRaceTest {

    private static final int SESSIONS = 20;
    private static final int STEPS = 100_000;
    private static final int THREADS = 4;

    private final AtomicLong now = new AtomicLong(1_000_000_000L);

    private final TimeSource time = new TimeSource() {
        @Override
        public long wallMillis() {
            return now.get();
        }

        @Override
        public long monotonicMillis() {
            return now.get();
        }
    };

    private final ReplicaStore store = new ReplicaStore(time, new Tombstones(2 * ReplicaStore.PARKED_MILLIS, 5));

    @Test
    void pagesOfDigestsHoldWhatIsThereAfterARace() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            running.add(threads.submit(() -> race(new SplittableRandom(seed))));
        }
        threads.shutdown();
        assertTrue(threads.awaitTermination(10, TimeUnit.MINUTES), "all ended");
        for (Future<?> one : running) {
            one.get();
        }
        BitSet all = new BitSet();
        all.set(0, SessionDigest.BUCKETS);
        List<SessionKey> expected = store.stream()
                .filter(stored -> !stored.unshared())
                .map(stored -> stored.replica().key())
                .sorted()
                .toList();
        List<SessionDigest> found = store.comparison().digests(all, null, 10 * SESSIONS);
        assertEquals(expected, found.stream().map(SessionDigest::key).toList());
        long sum = found.stream()
                .mapToLong(digest -> SessionDigest.share(digest.key(), digest.hash()))
                .sum();
        long sums = 0;
        for (long bucket : store.comparison().sums()) {
            sums += bucket;
        }
        assertEquals(sum, sums);
    }

    private void race(SplittableRandom random) {
        for (int i = 0; i < STEPS; i++) {
            int session = random.nextInt(SESSIONS);
            SessionKey key = Carts.key(session);
            Stamp stamp = new Stamp(1 + i, 1);
            switch (random.nextInt(7)) {
                case 0 -> store.create(Carts.begun(session, stamp, new byte[1]));
                case 1 -> store.forget(key);
                case 2 -> store.share(key);
                case 3 -> store.merge(SessionDelta.touched(key, stamp), 0, 0);
                case 4 -> store.merge(SessionDelta.expired(key, stamp), 0, 0);
                case 5 -> store.merge(SessionDelta.invalidated(key), 0, 0);
                default -> {
                    now.addAndGet(ReplicaStore.PARKED_MILLIS / 5);
                    store.sweep();
                }
            }
        }
    }
}
