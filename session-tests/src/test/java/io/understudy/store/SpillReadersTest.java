package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that read sessions on disk while the disk keeps another thread waiting. */
@Tag("cluster")
class SpillReadersTest {

    /** Keeps the next thread that comes to it until it is opened. */
    private static final class Gate {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        private void pass() throws IOException {
            reached.countDown();
            try {
                if (!opened.await(2 * Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                    throw new IOException("nobody opened the gate");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /** A file on a disk that may hang. */
    private final class HangingFile extends RandomAccessFile {

        HangingFile(Path path, String mode) throws IOException {
            super(path.toFile(), mode);
            open.incrementAndGet();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            passOnce(atRead);
            return super.read(bytes, offset, length);
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            passOnce(atWrite);
            super.write(bytes);
        }

        @Override
        public void close() throws IOException {
            if (getFD().valid()) {
                open.decrementAndGet();
            }
            super.close();
        }
    }

    @TempDir
    private Path temporary;

    private final AtomicReference<Gate> atRead = new AtomicReference<>();
    private final AtomicReference<Gate> atWrite = new AtomicReference<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicReference<String> failed = new AtomicReference<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private SpillFiles files;

    private void start() {
        files = new SpillFiles(
                temporary.resolve("spill"), HangingFile::new, (what, cause) -> failed.set(what + ": " + cause));
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        files.close();
        assertNull(failed.get());
    }

    private static void passOnce(AtomicReference<Gate> at) throws IOException {
        Gate gate = at.getAndSet(null);
        if (gate != null) {
            gate.pass();
        }
    }

    private static byte[] record(int session) {
        byte[] record = new byte[1000];
        record[0] = (byte) session;
        return record;
    }

    private SpillLocation write(int session) throws IOException {
        return files.write(Carts.key(session), record(session));
    }

    private static byte[] read(SpillLocation spot) throws IOException {
        return spot.segment().read(spot);
    }

    private <T> Future<T> hanging(AtomicReference<Gate> at, Gate gate, Callable<T> access) {
        at.set(gate);
        Future<T> hanging = threads.submit(access);
        Await.that("a thread waits for the disk", () -> gate.reached.getCount() == 0);
        return hanging;
    }

    private <T> T ended(String what, Callable<T> task) throws Exception {
        Future<T> running = threads.submit(task);
        Await.that(what, running::isDone);
        return running.get();
    }

    @Test
    void aReaderPassesAReadThatHangs() throws Exception {
        start();
        SpillLocation first = write(1);
        SpillLocation second = write(2);
        Gate gate = new Gate();
        Future<byte[]> slow = hanging(atRead, gate, () -> read(first));
        assertArrayEquals(record(2), ended("another record is read", () -> read(second)));
        assertArrayEquals(record(1), ended("the same record is read", () -> read(first)));
        assertFalse(slow.isDone());
        gate.opened.countDown();
        assertArrayEquals(record(1), slow.get());
    }

    @Test
    void aReaderPassesAWriteThatHangs() throws Exception {
        start();
        SpillLocation first = write(1);
        Gate gate = new Gate();
        Future<SpillLocation> slow = hanging(atWrite, gate, () -> write(2));
        assertArrayEquals(record(1), ended("a record is read", () -> read(first)));
        assertEquals(1000L, ended("the files are measured", () -> files.size()));
        assertNull(ended("the files are judged", () -> files.sparse()));
        assertFalse(slow.isDone());
        gate.opened.countDown();
        assertArrayEquals(record(2), read(slow.get()));
    }

    @Test
    void aWriterPassesAReadThatHangs() throws Exception {
        start();
        SpillLocation first = write(1);
        Gate gate = new Gate();
        Future<byte[]> slow = hanging(atRead, gate, () -> read(first));
        SpillLocation second = ended("a record is written", () -> write(2));
        gate.opened.countDown();
        assertArrayEquals(record(1), slow.get());
        assertArrayEquals(record(2), read(second));
    }

    @Test
    void filesGoWithTheirLastReader() throws Exception {
        start();
        SpillLocation first = write(1);
        Gate gate = new Gate();
        Future<byte[]> slow = hanging(atRead, gate, () -> read(first));
        ended("the files are closed", () -> {
            files.close();
            return true;
        });
        assertThrows(IOException.class, () -> read(first), "nobody begins to read what is gone");
        assertTrue(open.get() > 0, "the reader has its file");
        gate.opened.countDown();
        assertArrayEquals(record(1), slow.get());
        assertEquals(0, open.get(), "open files");
    }

    @Test
    void readersOfADeletedFileReadInTurn() throws Exception {
        start();
        SpillLocation first = write(1);
        SpillLocation second = write(2);
        Gate gate = new Gate();
        Future<byte[]> slow = hanging(atRead, gate, () -> read(first));
        BoundedStore.delete(temporary.resolve("spill"));
        Future<byte[]> next = threads.submit(() -> read(second));
        gate.opened.countDown();
        assertArrayEquals(record(1), slow.get());
        assertArrayEquals(record(2), next.get());
    }

    @Test
    void anInterruptedReaderLeavesTheFileUsable() throws Exception {
        start();
        SpillLocation first = write(1);
        Thread.currentThread().interrupt();
        byte[] read = read(first);
        assertTrue(Thread.interrupted(), "the request is told still");
        assertArrayEquals(record(1), read);
        assertArrayEquals(record(1), ended("others read", () -> read(first)));
        SpillLocation second = write(2);
        assertArrayEquals(record(2), read(second));
        Gate gate = new Gate();
        atRead.set(gate);
        Future<byte[]> interrupted = threads.submit(() -> {
            Thread.currentThread().interrupt();
            return read(second);
        });
        assertThrows(Exception.class, interrupted::get, "the gate, and not the file, is interrupted");
        assertArrayEquals(record(2), read(second));
    }
}
