package io.understudy.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records on disk, appended to files of {@link #SEGMENT_BYTES}. What is no longer needed stays until its file holds nothing
 * that is; {@link #sparse} names the file to be emptied once more than half of all is garbage.
 *
 * <p>Threads: any; one writes at a time.
 */
final class SpillFiles implements AutoCloseable {

    static final int SEGMENT_BYTES = 16 << 20;

    private final Path base;
    private final List<SpillSegment> segments = new ArrayList<>();
    private @Nullable SpillDirectory directory;
    private @Nullable SpillSegment current;
    private boolean closed;

    /** @param base made at the first write */
    SpillFiles(Path base) {
        this.base = base;
    }

    synchronized Spot write(byte[] record) throws IOException {
        if (closed) {
            throw new IOException("the node is closed");
        }
        SpillDirectory place = directory;
        if (place == null) {
            place = SpillDirectory.in(base);
            directory = place;
        }
        SpillSegment segment = current;
        if (segment != null && segment.size() > SEGMENT_BYTES - record.length && segment.size() > 0) {
            segment.seal();
            segment = null;
        }
        if (segment == null) {
            segment = new SpillSegment(place.newFile());
            segments.add(segment);
            current = segment;
        }
        return segment.append(record);
    }

    /** The full file with the least that is needed, if more than half of all is not; {@code null} if all is well. */
    synchronized @Nullable SpillSegment sparse() {
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

    /** Bytes of all files. */
    synchronized long size() {
        return segments.stream().mapToLong(SpillSegment::size).sum();
    }

    /** Deletes all. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        for (SpillSegment segment : segments) {
            segment.delete();
        }
        segments.clear();
        SpillDirectory own = directory;
        directory = null;
        if (own != null) {
            own.close();
        }
    }
}
