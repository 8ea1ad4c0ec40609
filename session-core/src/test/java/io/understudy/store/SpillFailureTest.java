package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heap is full just when a file for sessions is made. */
@Tag("cluster")
class SpillFailureTest {

    private static final SessionKey KEY = new SessionKey(1);

    @TempDir
    private Path directory;

    private final List<RandomAccessFile> opened = new ArrayList<>();
    private boolean full = true;

    private RandomAccessFile open(Path path, String mode) throws IOException {
        if (full && mode.equals("r")) {
            throw new OutOfMemoryError("a test's");
        }
        RandomAccessFile file = new RandomAccessFile(path.toFile(), mode);
        opened.add(file);
        return file;
    }

    @Test
    void aFileThatCouldNotBeOpenedIsDeletedAndClosed() throws Exception {
        try (Memory memory = new Memory(1 << 20, directory, new ReplicationMetrics(), this::open)) {
            assertThrows(OutOfMemoryError.class, () -> memory.files().write(KEY, new byte[100]));
            assertEquals(0, segments());
            assertThrows(IOException.class, opened.get(0)::length);
            full = false;
            assertNotNull(memory.files().write(KEY, new byte[100]));
            assertEquals(1, segments());
        }
    }

    @Test
    void aRecordIsFreeIfItsSessionCouldNotMove() throws Exception {
        full = false;
        try (Memory memory = new Memory(1 << 20, directory, new ReplicationMetrics(), this::open)) {
            ReplicaStore store = new ReplicaStore(TimeSource.SYSTEM, new Tombstones(1000, 10), memory);
            store.merge(Carts.begun(1, new Stamp(1, 1), new byte[100]), 0, 0);
            Replicas owner = memory.owners().get(0);
            StoredReplica stored = Objects.requireNonNull(owner.quietly(Carts.key(1)));
            SpillLocation spot = memory.files().write(Carts.key(1), new byte[100]);
            assertThrows(OutOfMemoryError.class, () -> Memory.replace(owner, stored, SpillFailureTest::full, spot));
            assertEquals(0, spot.segment().live());
            assertSame(stored, owner.quietly(Carts.key(1)));
            SpillLocation other = memory.files().write(Carts.key(1), new byte[100]);
            assertTrue(Memory.replace(owner, stored, stored.replica()::detach, other));
            assertEquals(100, other.segment().live());
        }
    }

    private static SessionReplica full() {
        throw new OutOfMemoryError("a test's");
    }

    private long segments() throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.filter(path -> path.getFileName().toString().startsWith("segment-"))
                    .count();
        }
    }
}
