package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.TimeSource;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers, readers, scans and touches while almost every step moves sessions between memory and disk: nobody ever
 * misses a session, or sees less of one than was acknowledged before.
 */
@Tag("cluster")
class SpillRaceTest {

    private static final int SESSIONS = 200;
    private static final int STEPS = 30_000;
    private static final int WRITERS = 2;

    @TempDir
    private Path directory;

    private final ReplicationMetrics metrics = new ReplicationMetrics();

    /** The version each session has at least. */
    private final AtomicLongArray written = new AtomicLongArray(SESSIONS);

    private static byte[] value(int session, long version) {
        ByteBuffer bytes = ByteBuffer.allocate(4096);
        while (bytes.hasRemaining()) {
            bytes.putLong(session).putLong(version);
        }
        return bytes.array();
    }

    private static SessionDelta version(int session, long version) {
        return Carts.written(session, new Stamp(version, 1), value(session, version));
    }

    @Test
    void nothingIsMissedOrLostBetweenMemoryAndDisk() throws Exception {
        try (Memory memory = new Memory(SESSIONS * 4096L / 8 + SESSIONS * 400L, directory.resolve("spill"), metrics)) {
            ReplicaStore store = new ReplicaStore(TimeSource.SYSTEM, new Tombstones(1_000_000, 10), memory);
            for (int i = 0; i < SESSIONS; i++) {
                store.merge(Carts.begun(i, new Stamp(1, 1), value(i, 1)), 0, 0);
                written.set(i, 1);
            }
            ExecutorService threads = Executors.newCachedThreadPool();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                running.add(threads.submit(() -> write(store, writer)));
            }
            running.add(threads.submit(() -> read(store)));
            running.add(threads.submit(() -> touch(store)));
            running.add(threads.submit(() -> scan(store)));
            threads.shutdown();
            assertTrue(threads.awaitTermination(10, TimeUnit.MINUTES), "all ended");
            for (Future<?> one : running) {
                one.get();
            }
            assertEquals(0, metrics.value(Counter.SPILL_ERRORS));
            assertTrue(metrics.value(Counter.SESSIONS_RECALLED) > STEPS / 4, "sessions moved to and fro");
            long bytes = 0;
            long spilled = 0;
            for (int i = 0; i < SESSIONS; i++) {
                StoredReplica header = store.header(Carts.key(i));
                bytes += Memory.SESSION_BYTES
                        + (header.spilled() ? 0 : header.replica().attributeBytes());
                spilled += header.spilled() ? 1 : 0;
                assertArrayEquals(
                        value(i, written.get(i)),
                        store.whole(Carts.key(i))
                                .replica()
                                .attribute(Carts.NAME)
                                .bytes());
            }
            assertEquals(bytes, memory.bytes(), "every change was accounted once");
            assertEquals(spilled, memory.spilledSessions());
            assertEquals(4096 * spilled, memory.spilledBytes());
            assertEquals(4096L * SESSIONS, store.attributeBytes());
            store.close();
            assertEquals(0, memory.bytes());
            assertEquals(0, memory.spilledSessions());
        }
    }

    private void write(ReplicaStore store, int writer) {
        SplittableRandom random = new SplittableRandom(writer);
        for (int i = 0; i < STEPS; i++) {
            int session = random.nextInt(SESSIONS / WRITERS) * WRITERS + writer;
            long next = written.get(session) + 1;
            Merged merged = store.merge(version(session, next), 0, 0);
            assertArrayEquals(
                    value(session, next),
                    merged.after().replica().attribute(Carts.NAME).bytes());
            written.set(session, next);
        }
    }

    private void read(ReplicaStore store) {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < STEPS; i++) {
            int session = random.nextInt(SESSIONS);
            long least = written.get(session);
            StoredReplica stored = i % 2 == 0 ? store.find("id-" + session) : store.whole(Carts.key(session));
            assertNotNull(stored, "session " + session);
            StampedBytes cart = stored.replica().attribute(Carts.NAME);
            long version = cart.stamp().time();
            assertTrue(version >= least, version + " after " + least);
            assertArrayEquals(value(session, version), cart.bytes());
        }
    }

    private void touch(ReplicaStore store) {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < STEPS; i++) {
            Stamp use = new Stamp(1_000_000L + i, 2);
            Merged merged = store.use(Carts.key(random.nextInt(SESSIONS)), use, 0);
            assertEquals(use, merged.after().replica().lastUse());
        }
    }

    private void scan(ReplicaStore store) {
        for (int i = 0; i < 500; i++) {
            assertEquals(
                    SESSIONS,
                    store.stream()
                            .map(stored -> stored.replica().key())
                            .distinct()
                            .count());
            store.sweep();
        }
    }
}
