package io.understudy.store;

import io.understudy.replica.SessionKey;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * One file of records, written from its beginning to its end, never over. It goes when it is full and nobody needs a
 * record of it any more.
 *
 * <p>Threads: any; guarded by this. {@link RandomAccessFile}, as an interrupt of a reading thread would close a channel.
 */
final class SpillSegment {

    private final Path path;
    private final RandomAccessFile file;
    private int end;
    private long live;

    /** Of the sessions that were written to it, also of those that are elsewhere now. */
    private long[] keys = new long[16];

    private int records;
    private boolean full;
    private boolean gone;

    /** @param file the open file at this path, which is empty */
    SpillSegment(Path path, RandomAccessFile file) {
        this.path = path;
        this.file = file;
    }

    /** What fails leaves no trace but bytes that the next record overwrites. */
    synchronized Spot append(SessionKey key, byte[] bytes) throws IOException {
        file.seek(end);
        file.write(bytes);
        keys = records < keys.length ? keys : Arrays.copyOf(keys, records * 2);
        keys[records++] = key.value();
        Spot spot = new Spot(this, end, bytes.length);
        end += bytes.length;
        live += bytes.length;
        return spot;
    }

    /** The sessions that may have a record here. */
    synchronized List<SessionKey> keys() {
        return Arrays.stream(keys, 0, records).mapToObj(SessionKey::new).toList();
    }

    synchronized byte[] read(Spot spot) throws IOException {
        if (gone) {
            throw new IOException("the file " + path + " is gone");
        }
        byte[] bytes = new byte[spot.length()];
        file.seek(spot.offset());
        file.readFully(bytes);
        return bytes;
    }

    synchronized void free(Spot spot) throws IOException {
        live -= spot.length();
        deleteIfDone();
    }

    /** Nothing is written to it from now on. */
    synchronized void seal() throws IOException {
        full = true;
        deleteIfDone();
    }

    private void deleteIfDone() throws IOException {
        if (full && live == 0 && !gone) {
            delete();
        }
    }

    synchronized void delete() throws IOException {
        gone = true;
        file.close();
        Files.deleteIfExists(path);
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
