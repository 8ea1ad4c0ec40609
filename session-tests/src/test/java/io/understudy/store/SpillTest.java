package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.TimeSource;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas beyond the bound of memory, on disk. */
@Tag("cluster")
class SpillTest {

    private static final int VALUE_BYTES = 4096;
    private static final long BOUND = 1 << 20;

    @TempDir
    private Path temporary;

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private Memory memory;
    private ReplicaStore store;

    private Path base() {
        return temporary.resolve("spill");
    }

    private void open(Path base) {
        memory = new Memory(BOUND, base, metrics);
        store = new ReplicaStore(TimeSource.SYSTEM, new Tombstones(1_000_000, 1000), memory);
    }

    @AfterEach
    void close() {
        if (memory != null) {
            memory.close();
        }
    }

    private static byte[] value(int session, int version) {
        byte[] bytes = new byte[VALUE_BYTES];
        new Random(31L * session + version).nextBytes(bytes);
        return bytes;
    }

    private static SessionDelta begun(int session) {
        return Carts.begun(session, new Stamp(1 + session, 1), value(session, 0));
    }

    private static SessionDelta written(int session, Stamp stamp, int version) {
        return Carts.written(session, stamp, value(session, version));
    }

    private void fill(int sessions) {
        for (int i = 0; i < sessions; i++) {
            store.merge(begun(i), 0, 0);
        }
    }

    private static byte[] cart(StoredReplica stored) {
        return stored.replica().attribute(Carts.NAME).bytes();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(base())) {
            return all.filter(path -> path.getFileName().toString().startsWith("segment"))
                    .toList();
        }
    }

    @Test
    void beyondTheBoundTheColdestGoToDiskAndAreReadBackWhole() throws IOException {
        open(base());
        fill(1000);
        assertTrue(memory.bytes() <= BOUND, memory.bytes() + " bytes in memory");
        assertTrue(memory.spilledSessions() > 500, memory.spilledSessions() + " sessions on disk");
        assertEquals(1000L * VALUE_BYTES, store.attributeBytes());
        assertEquals(1000, store.liveCount());
        assertTrue(store.header(Carts.key(0)).spilled(), "the first is the coldest");
        assertFalse(store.header(Carts.key(999)).spilled());
        for (int i = 0; i < 1000; i++) {
            assertArrayEquals(value(i, 0), cart(store.find("id-" + i)), "session " + i);
            assertTrue(memory.bytes() <= BOUND, "reading keeps the bound");
        }
        assertTrue(metrics.value(Counter.SESSIONS_RECALLED) > 500);
        assertEquals(0, metrics.value(Counter.SPILL_ERRORS));
    }

    /** A change of some kilobytes does not bring them from one to the other. */
    @Test
    void wellBeforeSessionsGoToDiskMergesMayLookAtOne() {
        open(base());
        for (int i = 0; memory.withoutDisk(); i++) {
            store.merge(begun(i), 0, 0);
        }
        assertEquals(0, memory.spilledSessions());
        assertTrue(memory.bytes() < BOUND - BOUND / 16 - 10 * VALUE_BYTES, memory.bytes() + " bytes in memory");
        fill(1000);
        assertTrue(memory.spilledSessions() > 0);
        assertFalse(memory.withoutDisk());
    }

    @Test
    void sessionsInUseStayInMemory() {
        open(base());
        int used = 10;
        fill(used);
        for (int i = used; i < 1000; i++) {
            store.merge(begun(i), 0, 0);
            assertNotNull(store.find("id-" + i % used));
        }
        assertTrue(memory.spilledSessions() > 500, memory.spilledSessions() + " sessions on disk");
        for (int i = 0; i < used; i++) {
            assertFalse(store.header(Carts.key(i)).spilled(), "session " + i);
        }
        assertEquals(0, metrics.value(Counter.SESSIONS_RECALLED));
    }

    @Test
    void scansAndTouchesAndReadsOneByOneLeaveOnDiskWhatIsThere() {
        open(base());
        fill(1000);
        long spilled = metrics.value(Counter.SESSIONS_SPILLED);
        ReplicaStore unbounded = new ReplicaStore(TimeSource.SYSTEM, new Tombstones(1_000_000, 1000));
        for (int i = 0; i < 1000; i++) {
            unbounded.merge(begun(i), 0, 0);
        }
        assertArrayEquals(unbounded.comparison().sums(), store.comparison().sums(), "digests of spilled sessions");
        assertEquals(
                1000, store.stream().filter(stored -> stored.replica().live()).count());
        for (int i = 0; i < 1000; i++) {
            assertTrue(store.use(Carts.key(i), new Stamp(5000, 2), 0)
                    .after()
                    .replica()
                    .live());
            assertArrayEquals(value(i, 0), cart(store.whole(Carts.key(i))));
        }
        assertEquals(
                1000,
                store.streamWhole()
                        .filter(stored -> cart(stored).length == VALUE_BYTES)
                        .count());
        store.sweep();
        assertEquals(0, metrics.value(Counter.SESSIONS_RECALLED));
        assertEquals(spilled, metrics.value(Counter.SESSIONS_SPILLED));
        assertEquals(new Stamp(5000, 2), store.header(Carts.key(0)).replica().lastUse());
        assertThrows(
                IllegalStateException.class,
                () -> store.header(Carts.key(0)).replica().attributes(),
                "never an empty session in the place of a spilled one");
    }

    @Test
    void aChangeOfASpilledSessionIsJoinedWithWhatIsOnDisk() {
        open(base());
        fill(1000);
        Stamp later = new Stamp(9000, 3);
        SessionDelta other = new SessionDelta(
                Carts.key(0), false, null, null, later, Map.of("user", StampedBytes.of(later, new byte[] {1})), null);
        Merged merged = store.merge(other, 0, 0);
        assertEquals(2, merged.after().replica().attributes().size());
        assertArrayEquals(value(0, 0), cart(merged.after()));
        store.merge(written(1, later, 7), 0, 0);
        assertArrayEquals(value(1, 7), cart(store.get(Carts.key(1))));
    }

    @Test
    void theEndOfASpilledSessionFreesItsPlace() throws IOException {
        open(base());
        fill(1000);
        for (int i = 0; i < 1000; i++) {
            store.merge(SessionDelta.invalidated(Carts.key(i)), 0, 0);
        }
        assertEquals(0, memory.spilledSessions());
        assertEquals(0, memory.spilledBytes());
        assertEquals(0, store.attributeBytes());
        store.close();
        assertEquals(0, memory.bytes());
    }

    @Test
    void garbageOnDiskIsBounded() {
        open(base());
        fill(1000);
        for (int round = 1; round <= 40; round++) {
            for (int i = 0; i < 1000; i++) {
                store.merge(written(i, new Stamp(10_000L * round, 2), round), 0, 0);
            }
        }
        store.sweep();
        long most = 2 * memory.spilledBytes() + 3L * SpillFiles.SEGMENT_BYTES;
        assertTrue(memory.fileBytes() < most, memory.fileBytes() + " bytes of files, at most " + most);
        assertTrue(metrics.value(Counter.SESSIONS_SPILLED) * VALUE_BYTES > 2 * most, "more was written than is kept");
        for (int i = 0; i < 1000; i++) {
            assertArrayEquals(value(i, 40), cart(store.whole(Carts.key(i))));
        }
    }

    @Test
    void emptyingAFileLooksAtItsOwnSessionsOnly() {
        try (BoundedStore sessions = new BoundedStore(base())) {
            int ended = 2000;
            sessions.fill(0, ended + 100);
            int small = 5000;
            for (int i = 0; i < small; i++) {
                Stamp stamp = new Stamp(1_000_000 + i, 1);
                sessions.store.merge(Carts.begun(1_000_000 + i, stamp, new byte[1]), 0, 0);
            }
            for (int i = 0; i < ended; i++) {
                if (i % 50 > 0) {
                    sessions.store.merge(SessionDelta.invalidated(Carts.key(i)), 0, 0);
                }
            }
            long before = sessions.memory.fileBytes();
            int looked = sessions.memory.compact();
            int written = SpillFiles.SEGMENT_BYTES / (32 << 10);
            assertTrue(looked > 0 && looked <= written, looked + " looked at, " + written + " are in a file");
            assertTrue(sessions.memory.fileBytes() < before, "the file is gone");
            for (int i = 0; i < ended; i += 50) {
                sessions.assertHeld(i, i + 1);
            }
        }
    }

    @Test
    void nobodyElseCanReadTheFilesAndTheyAreDeletedAtTheEnd() throws IOException {
        open(base());
        fill(1000);
        List<Path> files = files();
        assertFalse(files.isEmpty());
        for (Path file : files) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
        }
        memory.close();
        assertEquals(List.of(), files());
        try (Stream<Path> left = Files.list(base())) {
            assertEquals(
                    List.of("lock"),
                    left.map(path -> path.getFileName().toString()).toList());
        }
    }

    @Test
    void aNodeThatStartsDeletesTheFilesOfDeadOnesAndNotOfLivingOnes() throws Exception {
        open(base());
        fill(1000);
        Path dead = Files.createDirectory(base().resolve("node-dead"));
        Files.write(dead.resolve("segment-0"), new byte[10]);
        Memory other = new Memory(BOUND, base(), metrics);
        assertFalse(Files.exists(dead));
        assertFalse(files().isEmpty());
        assertArrayEquals(value(0, 0), cart(store.get(Carts.key(0))));
        other.close();
    }

    @Test
    void whatCanNotBeWrittenStaysInMemory() throws IOException {
        Path file = Files.createFile(temporary.resolve("a-file"));
        open(file.resolve("below"));
        fill(1000);
        assertTrue(metrics.value(Counter.SPILL_ERRORS) > 0);
        assertTrue(metrics.value(Counter.SPILL_ERRORS) < 100, "not tried for each session anew");
        assertTrue(memory.excessSessions() > 0);
        for (int i = 0; i < 1000; i++) {
            assertArrayEquals(value(i, 0), cart(store.find("id-" + i)), "session " + i);
        }
        Files.delete(file);
        Await.until(Await.LIMIT, () -> memory.bytes() + " bytes", () -> {
            store.sweep();
            return memory.bytes() <= BOUND;
        });
        assertArrayEquals(value(0, 0), cart(store.find("id-0")));
    }

    @Test
    void whatCanNotBeReadIsCountedAndGivenUpForAMemberThatHasIt() throws IOException {
        open(base());
        fill(1000);
        for (Path file : files()) {
            try (RandomAccessFile broken = new RandomAccessFile(file.toFile(), "rw")) {
                broken.seek(100);
                broken.write(new byte[] {1, 2, 3});
            }
        }
        int unreadable = 0;
        for (int i = 0; i < 1000; i++) {
            StoredReplica stored = store.get(Carts.key(i));
            if (stored == null) {
                unreadable++;
                assertNull(store.find("id-" + i));
                assertTrue(store.merge(written(i, new Stamp(9000, 1), 1), 0, 0).incomplete());
                store.merge(begun(i), 0, 0);
                assertNotNull(store.find("id-" + i));
            }
        }
        assertTrue(unreadable > 0 && unreadable <= files().size() + 1, unreadable + " unreadable");
        assertTrue(metrics.value(Counter.SPILL_ERRORS) >= unreadable);
        assertEquals(1000, store.liveCount());
    }

    @Test
    void aDirectoryThatOthersCanWriteToIsRefused() throws IOException {
        Files.createDirectory(base());
        Files.setPosixFilePermissions(base(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThrows(IOException.class, () -> SpillDirectory.in(base()));
    }

    @Test
    void aNodeNamesAPlaceThatItCanNotUseAtItsStart() throws IOException {
        Path place = Files.writeString(temporary.resolve("file"), "no directory");
        UnderstudyConfig config = LoopbackCluster.configs(1, Map.of(Setting.SPILL_DIRECTORY, place.toString()))
                .get(0);
        try (LogLines log = new LogLines("io.understudy.store");
                Understudy node = NodeStart.start(config)) {
            assertEquals(
                    1, log.with("WARNING", "'spillDirectory' can't be used").size(), node::toString);
        }
    }
}
