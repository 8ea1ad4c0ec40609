package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/** A store of which 4 MB stays in memory, with sessions by number, each with 32 KB. */
final class BoundedStore implements AutoCloseable {

    static final long BOUND = 4 << 20;
    private static final int VALUE_BYTES = 32 << 10;

    final ReplicationMetrics metrics = new ReplicationMetrics();
    final Memory memory;
    final ReplicaStore store;

    BoundedStore(Path base) {
        this(metrics -> new Memory(BOUND, base, metrics));
    }

    BoundedStore(Function<ReplicationMetrics, Memory> memory) {
        this.memory = memory.apply(metrics);
        this.store = new ReplicaStore(TimeSource.SYSTEM, new Tombstones(1_000_000, 1000), this.memory);
    }

    private static byte[] value(int session) {
        byte[] bytes = new byte[VALUE_BYTES];
        new Random(session).nextBytes(bytes);
        return bytes;
    }

    void fill(int from, int to) {
        for (int i = from; i < to; i++) {
            store.merge(Carts.begun(i, new Stamp(1 + i, 1), value(i)), 0, 0);
        }
    }

    /** All sessions are there, and as they were; those on disk stay there. */
    void assertHeld(int from, int to) {
        for (int i = from; i < to; i++) {
            StoredReplica stored = store.whole(Carts.key(i));
            assertTrue(stored != null, "session " + i + " is there");
            assertArrayEquals(value(i), stored.replica().attribute(Carts.NAME).bytes(), "session " + i);
        }
    }

    void assertBounded() {
        assertTrue(memory.bytes() <= BOUND, memory.bytes() + " bytes in memory, the bound is " + BOUND);
    }

    long errors() {
        return metrics.value(Counter.SPILL_ERRORS);
    }

    /** The directories of nodes below the configured one. */
    static List<Path> directories(Path base) throws IOException {
        try (Stream<Path> all = Files.list(base)) {
            return all.filter(Files::isDirectory).toList();
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
