package io.understudy.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.replica.SessionKey;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records on disk, appended to files of {@link #SEGMENT_BYTES}. What is no longer needed stays until its file holds nothing
 * that is; {@link #sparse} names the file to be emptied once more than half of all is garbage.
 *
 * <p>A file that can't be written any more, and a directory in which none can be made, are replaced by others at once:
 * whoever deletes them does not switch spilling off. What was written to them is readable as long as the file is open.
 *
 * <p>Threads: any; one writes at a time, and nobody else waits for it. Locks and no monitors are held during access to the
 * disk: a virtual thread that waits in a monitor keeps its carrier.
 */
final class SpillFiles implements AutoCloseable {

    static final int SEGMENT_BYTES = 16 << 20;

    /** Opens the file of a segment. */
    @FunctionalInterface
    interface Opening {

        /** @param mode "rw" of a file that is there and empty, or "r" */
        RandomAccessFile open(Path path, String mode) throws IOException;
    }

    /** Is told what went wrong without a caller that could be. */
    @FunctionalInterface
    interface Failures {
        void failed(String what, IOException cause);
    }

    private final Path base;
    private final Opening opening;
    private final Failures failures;
    private final List<SpillSegment> segments = new CopyOnWriteArrayList<>();

    /** Held while files and directories are made, written and deleted. */
    private final ReentrantLock writing = new ReentrantLock();

    /** In which no file could be made any more, although they are there. */
    @GuardedBy("writing")
    private final List<SpillDirectory> former = new ArrayList<>();

    @GuardedBy("writing")
    private @Nullable SpillDirectory directory;

    @GuardedBy("writing")
    private @Nullable SpillSegment current;

    @GuardedBy("writing")
    private boolean closed;

    /** @param base made at the first write */
    SpillFiles(Path base, Opening opening, Failures failures) {
        this.base = base;
        this.opening = opening;
        this.failures = failures;
    }

    /** @throws IOException if no directory can be made for what is written */
    void tryDirectory() throws IOException {
        SpillDirectory tried = SpillDirectory.in(base);
        try {
            tried.close();
        } catch (RuntimeException | Error e) {
            tried.close(); // While this process lives, nobody else deletes it.
            throw e;
        }
    }

    SpillLocation write(SessionKey key, byte[] record) throws IOException {
        writing.lock();
        try {
            if (closed) {
                throw new IOException("the node is closed");
            }
            return append(key, record);
        } finally {
            writing.unlock();
        }
    }

    @GuardedBy("writing")
    private SpillLocation append(SessionKey key, byte[] record) throws IOException {
        SpillSegment segment = current;
        if (segment != null && segment.size() > SEGMENT_BYTES - record.length && segment.size() > 0) {
            segment.seal();
            segment = null;
        }
        if (segment == null) {
            segment = begin();
            current = segment;
        }
        try {
            return segment.append(key, record);
        } catch (IOException e) {
            return writeElsewhere(segment, key, record, e);
        }
    }

    /** A full disk refuses another file as well: then the one that failed goes on to be used once there is room. */
    @GuardedBy("writing")
    private SpillLocation writeElsewhere(SpillSegment failed, SessionKey key, byte[] record, IOException cause)
            throws IOException {
        SpillSegment other = null;
        try {
            other = begin();
            SpillLocation spot = other.append(key, record);
            failed.seal();
            current = other;
            failures.failed("a file of sessions is no longer writable; the node uses another file", cause);
            return spot;
        } catch (IOException e) {
            if (other != null) {
                segments.remove(other);
                other.delete();
            }
            cause.addSuppressed(e);
            throw cause;
        }
    }

    /** A new segment, in another directory if none can be made in this one. */
    @GuardedBy("writing")
    private SpillSegment begin() throws IOException {
        SpillDirectory place = directory;
        if (place == null) {
            place = SpillDirectory.in(base);
            directory = place;
        }
        try {
            return begin(place);
        } catch (IOException e) {
            return beginElsewhere(place, e);
        }
    }

    @GuardedBy("writing")
    private SpillSegment beginElsewhere(SpillDirectory failed, IOException cause) throws IOException {
        SpillDirectory other = null;
        try {
            other = SpillDirectory.in(base);
            SpillSegment segment = begin(other);
            drop(failed, cause);
            directory = other;
            return segment;
        } catch (IOException e) {
            if (other != null) {
                close(other);
            }
            cause.addSuppressed(e);
            throw cause;
        }
    }

    private SpillSegment begin(SpillDirectory place) throws IOException {
        Path path = place.newFile();
        try {
            SpillSegment segment = SpillSegment.open(path, opening, failures);
            return known(segment);
        } catch (IOException | RuntimeException | Error e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    private SpillSegment known(SpillSegment segment) {
        try {
            segments.add(segment);
            return segment;
        } catch (RuntimeException | Error e) {
            segment.delete();
            throw e;
        }
    }

    @GuardedBy("writing")
    private void drop(SpillDirectory lost, IOException cause) {
        failures.failed(
                "the directory that this node created in " + base + " can no longer be used; the node creates "
                        + "another there. If a job deletes old files there, set 'spillDirectory' to another directory",
                cause);
        if (lost.isThere()) {
            former.add(lost); // It holds files that are needed; its lock keeps them.
        } else {
            close(lost);
        }
    }

    /** Shows others that the files are in use; to be called now and then. */
    void keep() {
        writing.lock();
        try {
            keepOwn();
        } finally {
            writing.unlock();
        }
    }

    @GuardedBy("writing")
    private void keepOwn() {
        SpillDirectory own = directory;
        if (own == null) {
            return;
        }
        try {
            own.keep();
        } catch (IOException e) {
            if (own.isThere()) {
                failures.failed("the files of sessions in " + base + " could not be marked as in use", e);
                return;
            }
            SpillSegment deleted = current;
            if (deleted != null) {
                deleted.seal();
            }
            current = null;
            directory = null;
            drop(own, e);
        }
    }

    /** The full file with the least that is needed, if more than half of all is not; {@code null} if all is well. */
    @Nullable
    SpillSegment sparse() {
        segments.removeIf(SpillSegment::isGone);
        long live = segments.stream().mapToLong(SpillSegment::live).sum();
        if (size() <= 2 * live + 2L * SEGMENT_BYTES) {
            return null;
        }
        return segments.stream()
                .filter(SpillSegment::isFull)
                .min(Comparator.comparingLong(SpillSegment::live))
                .orElse(null);
    }

    /** Those that are not gone. */
    List<SpillSegment> segments() {
        return segments.stream().filter(segment -> !segment.isGone()).toList();
    }

    /** All that this node has on disk: its directories, their lock files, and the files of records. */
    List<Path> paths() {
        writing.lock();
        try {
            Stream<SpillDirectory> own = Stream.concat(Stream.ofNullable(directory), former.stream());
            return Stream.concat(
                            own.flatMap(SpillDirectory::paths),
                            segments().stream().map(SpillSegment::path))
                    .toList();
        } finally {
            writing.unlock();
        }
    }

    /** Bytes of all files. */
    long size() {
        return segments.stream().mapToLong(SpillSegment::size).sum();
    }

    private void close(SpillDirectory unused) {
        try {
            unused.close();
        } catch (IOException e) {
            failures.failed("a directory that the node no longer needs could not be deleted", e);
        }
    }

    /** Deletes all. If something is thrown, the directories are known still, and another call deletes them. */
    @Override
    public void close() {
        writing.lock();
        try {
            closed = true;
            segments.forEach(SpillSegment::delete);
            segments.clear();
            SpillDirectory own = directory;
            if (own != null) {
                close(own);
            }
            directory = null;
            former.forEach(this::close);
            former.clear();
        } finally {
            writing.unlock();
        }
    }
}
