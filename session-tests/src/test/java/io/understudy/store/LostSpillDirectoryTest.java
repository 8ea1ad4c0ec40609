package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions on disk while somebody deletes their files, as clean-up jobs for temporary files do. */
@Tag("cluster")
class LostSpillDirectoryTest {

    /** Of which two files get full, at least. */
    private static final int MANY = 1200;

    @TempDir
    private Path temporary;

    private Path base() {
        return temporary.resolve("spill");
    }

    @Test
    void memoryIsBoundedAfterTheDirectoryWasDeleted() throws IOException {
        try (BoundedStore sessions = new BoundedStore(base())) {
            sessions.fill(0, 300);
            BoundedStore.delete(base());
            sessions.fill(300, MANY);
            sessions.assertBounded();
            sessions.assertHeld(0, MANY);
            assertEquals(1, BoundedStore.directories(base()).size());
            assertTrue(sessions.errors() > 0, "the loss is counted");
        }
    }

    @Test
    void memoryIsBoundedEachTimeTheDirectoryIsDeleted() throws IOException {
        try (BoundedStore sessions = new BoundedStore(base())) {
            for (int round = 0; round < 3; round++) {
                sessions.fill(round * MANY, (round + 1) * MANY);
                sessions.assertBounded();
                BoundedStore.delete(BoundedStore.directories(base()).get(0));
            }
            sessions.assertHeld(0, 3 * MANY);
        }
        assertEquals(List.of(), BoundedStore.directories(base()));
    }

    @Test
    void aNodeStartsBesideOneWhoseLockFileWasDeleted() throws IOException {
        try (BoundedStore sessions = new BoundedStore(base())) {
            sessions.fill(0, 300);
            Path own = BoundedStore.directories(base()).get(0);
            Files.delete(own.resolve("lock"));
            new BoundedStore(base()).close();
            assertTrue(Files.exists(own), "it belongs to a node that runs");
        }
    }

    @Test
    void aDirectoryWithoutLockStaysWhileItsProcessLives() throws IOException {
        Path base = Files.createDirectory(base());
        long living = ProcessHandle.current().parent().orElseThrow().pid();
        Path anothers = Files.createDirectory(base.resolve("node-" + living + "-17-a"));
        Path ofADeadOne = Files.createDirectory(base.resolve("node-" + Integer.MAX_VALUE + "-17-a"));
        long own = ProcessHandle.current().pid();
        Path ofAContainer = Files.createDirectory(base.resolve("node-" + own + "-17-a"));
        SpillDirectory.clean(base);
        assertTrue(Files.exists(anothers));
        assertFalse(Files.exists(ofADeadOne));
        assertFalse(Files.exists(ofAContainer), "a process with this number, which began at another time");
    }

    @Test
    void aDeletedLockFileIsMadeAgainAndHeld() throws IOException {
        SpillDirectory directory = SpillDirectory.in(base());
        Path lock = BoundedStore.directories(base()).get(0).resolve("lock");
        Files.delete(lock);
        directory.keep();
        try (FileChannel other = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            assertThrows(OverlappingFileLockException.class, other::tryLock);
        }
        directory.close();
    }

    @Test
    void theLockFileIsAsYoungAsItsLastUse() throws IOException {
        SpillDirectory directory = SpillDirectory.in(base());
        Path lock = BoundedStore.directories(base()).get(0).resolve("lock");
        Files.setLastModifiedTime(lock, FileTime.fromMillis(0));
        directory.keep();
        assertTrue(Files.getLastModifiedTime(lock).toMillis() > 0, "no job takes it for an old one");
        directory.close();
    }

    @Test
    void aFileThatFailsIsReplacedByAnotherOne() throws IOException {
        boolean[] broken = new boolean[1];
        try (BoundedStore sessions = onDisk(broken, "segment-0")) {
            sessions.fill(0, 300);
            broken[0] = true;
            sessions.fill(300, 600);
            sessions.assertBounded();
            sessions.assertHeld(0, 600);
        }
    }

    @Test
    void aFullDiskKeepsSessionsInMemoryUntilThereIsRoom() throws IOException {
        boolean[] full = new boolean[1];
        try (BoundedStore sessions = onDisk(full, "segment")) {
            sessions.fill(0, 300);
            full[0] = true;
            long files = files();
            for (int round = 1; round < 4; round++) {
                long before = sessions.errors();
                sessions.fill(300 * round, 300 * (round + 1));
                Await.until(Await.LIMIT, () -> sessions.errors() + " errors", () -> {
                    sessions.store.sweep();
                    return sessions.errors() > before;
                });
            }
            assertTrue(sessions.memory.bytes() > 2 * BoundedStore.BOUND, "nothing is given up");
            assertEquals(files, files(), "attempts leave no files");
            sessions.assertHeld(0, 1200);
            full[0] = false;
            Await.until(Await.LIMIT, () -> sessions.memory.bytes() + " bytes", () -> {
                sessions.store.sweep();
                return sessions.memory.bytes() <= BoundedStore.BOUND;
            });
            sessions.assertHeld(0, 1200);
        }
    }

    /** @param fails whether files refuse what is written, if their names begin so */
    private BoundedStore onDisk(boolean[] fails, String names) {
        return new BoundedStore(metrics -> new Memory(BoundedStore.BOUND, base(), metrics, (path, mode) -> {
            boolean named = path.getFileName().toString().startsWith(names);
            return new RandomAccessFile(path.toFile(), mode) {
                @Override
                public void write(byte[] bytes) throws IOException {
                    if (named && fails[0]) {
                        write(bytes, 0, bytes.length / 2);
                        throw new IOException("No space left on device");
                    }
                    super.write(bytes);
                }
            };
        }));
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.walk(base())) {
            return all.count();
        }
    }

    @Test
    void closingAfterTheDirectoryWasDeletedIsNoError() throws IOException {
        BoundedStore sessions = new BoundedStore(base());
        sessions.fill(0, 300);
        BoundedStore.delete(base());
        sessions.close();
        assertEquals(0, sessions.errors());
    }
}
