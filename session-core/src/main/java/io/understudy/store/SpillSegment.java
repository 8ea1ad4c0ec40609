package io.understudy.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.replica.SessionKey;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One file of records, written from its beginning to its end, never over. It goes when it is full and nobody needs a
 * record of it any more.
 *
 * <p>Threads: any; one at a time appends and seals. Nobody waits for another's access to the disk, but a reader of a file
 * that was deleted from outside for the reader before it. {@link RandomAccessFile}, as an interrupt of a reading thread
 * would close a channel for all.
 */
final class SpillSegment {

    /*
     * Files. Records are written through one open file and read through another one, which stays open: it reads on when
     * somebody deletes the file. A reader that finds it taken opens one for itself. The last reader of a segment that is
     * gone closes and deletes it: a file that is closed under its reader may become another one before it is read.
     *
     * State. Guarded by this, in steps without any access to the disk.
     */

    private static final String FOR_WRITING = "rw";
    private static final String FOR_READING = "r";

    private final Path path;
    private final SpillFiles.Opening opening;
    private final SpillFiles.Failures failures;

    /** Used by the thread that appends or seals. */
    private final RandomAccessFile written;

    private final ReentrantLock reading = new ReentrantLock();

    /** Used under {@link #reading}. */
    private final RandomAccessFile read;

    @GuardedBy("this")
    private int end;

    @GuardedBy("this")
    private long live;

    /** Of the sessions that were written to it, also of those that are elsewhere now. */
    @GuardedBy("this")
    private long[] keys = new long[16];

    @GuardedBy("this")
    private int records;

    @GuardedBy("this")
    private int readers;

    @GuardedBy("this")
    private boolean full;

    @GuardedBy("this")
    private boolean gone;

    private SpillSegment(
            Path path,
            SpillFiles.Opening opening,
            SpillFiles.Failures failures,
            RandomAccessFile written,
            RandomAccessFile read) {
        this.path = path;
        this.opening = opening;
        this.failures = failures;
        this.written = written;
        this.read = read;
    }

    /**
     * A segment without records.
     *
     * @param path of its file, which is there and empty
     * @param failures is told if the file could not be deleted at its end
     */
    static SpillSegment open(Path path, SpillFiles.Opening opening, SpillFiles.Failures failures) throws IOException {
        RandomAccessFile written = opening.open(path, FOR_WRITING);
        try {
            return open(path, opening, failures, written);
        } catch (IOException | RuntimeException | Error e) {
            written.close();
            throw e;
        }
    }

    private static SpillSegment open(
            Path path, SpillFiles.Opening opening, SpillFiles.Failures failures, RandomAccessFile written)
            throws IOException {
        RandomAccessFile read = opening.open(path, FOR_READING);
        try {
            return new SpillSegment(path, opening, failures, written, read);
        } catch (RuntimeException | Error e) {
            read.close();
            throw e;
        }
    }

    /** What fails leaves no trace but bytes that the next record overwrites. */
    SpillLocation append(SessionKey key, byte[] bytes) throws IOException {
        int offset = size();
        written.seek(offset);
        written.write(bytes);
        return appended(key, offset, bytes.length);
    }

    private synchronized SpillLocation appended(SessionKey key, int offset, int length) {
        SpillLocation spot = new SpillLocation(this, offset, length);
        keys = records < keys.length ? keys : Arrays.copyOf(keys, records * 2);
        keys[records++] = key.value();
        end = offset + length;
        live += length;
        return spot;
    }

    /** The sessions that may have a record here. */
    synchronized List<SessionKey> keys() {
        return Arrays.stream(keys, 0, records).mapToObj(SessionKey::new).toList();
    }

    /**
     * The bytes of a record.
     *
     * @throws IOException if they can't be read, or the segment is gone
     */
    byte[] read(SpillLocation spot) throws IOException {
        enter();
        try {
            return reading.tryLock() ? readAndUnlock(spot) : readBesideOthers(spot);
        } finally {
            leave();
        }
    }

    private byte[] readAndUnlock(SpillLocation spot) throws IOException {
        try {
            return read(read, spot);
        } finally {
            reading.unlock();
        }
    }

    private byte[] readBesideOthers(SpillLocation spot) throws IOException {
        RandomAccessFile own;
        try {
            own = opening.open(path, FOR_READING);
        } catch (IOException e) { // It was deleted from outside, or this process has no file left to open.
            reading.lock();
            return readAndUnlock(spot);
        }
        try (own) {
            return read(own, spot);
        }
    }

    private static byte[] read(RandomAccessFile file, SpillLocation spot) throws IOException {
        byte[] bytes = new byte[spot.length()];
        file.seek(spot.offset());
        file.readFully(bytes);
        return bytes;
    }

    private synchronized void enter() throws IOException {
        if (gone) {
            throw new IOException("the file " + path + " is gone");
        }
        readers++;
    }

    private void leave() {
        boolean last;
        synchronized (this) {
            readers--;
            last = gone && readers == 0;
        }
        if (last) {
            remove();
        }
    }

    /** A record is not needed any more. */
    void free(SpillLocation spot) {
        boolean done;
        synchronized (this) {
            live -= spot.length();
            done = full && live == 0;
        }
        if (done) {
            delete();
        }
    }

    /** Nothing is appended from now on. */
    void seal() {
        boolean done;
        synchronized (this) {
            full = true;
            done = live == 0;
        }
        if (done) {
            delete();
        } else {
            close(written);
        }
    }

    /** Nobody begins to read any more; the file goes now, or with the last that reads it. Not while another thread appends. */
    void delete() {
        boolean last;
        synchronized (this) {
            last = !gone && readers == 0;
            gone = true;
        }
        if (last) {
            remove();
        }
    }

    private void remove() {
        close(written);
        close(read);
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            failures.failed("a file that the node no longer needs could not be deleted", e);
        }
    }

    private void close(RandomAccessFile file) {
        try {
            file.close();
        } catch (IOException e) {
            failures.failed("a file that the node no longer needs could not be closed", e);
        }
    }

    Path path() {
        return path;
    }

    synchronized boolean isGone() {
        return gone;
    }

    synchronized boolean isFull() {
        return full;
    }

    /** Bytes of the records that are needed. */
    synchronized long live() {
        return live;
    }

    /** Bytes of the file. */
    synchronized int size() {
        return gone ? 0 : end;
    }
}
