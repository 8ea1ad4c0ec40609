package io.understudy.testkit.member;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The last reading of a member's at-risk gauge and its count of responses, in a file that outlives a SIGKILL.
 *
 * <pre>
 * file    = responses:long bytes:long current:long fence:long reading reading
 *                                       ; current is the reading that is complete, 0 or 1; fence of a lock held, or 0
 * reading = at:long responses:long bytes:long sessions:long bytesAtRisk:long
 * </pre>
 *
 * <p>Threads: {@link #responded} any, {@link #record} one.
 */
public final class RiskGauge {

    private static final int READINGS = 32;
    private static final int READING = 40;

    /**
     * What was at risk once.
     *
     * @param responses that had left before
     * @param bytes of values that those had written
     * @param sessions with changes that some member did not hold yet
     * @param bytesAtRisk of those changes
     */
    public record Reading(long atMillis, long responses, long bytes, long sessions, long bytesAtRisk) {}

    private final MappedByteBuffer file;

    private RiskGauge(MappedByteBuffer file) {
        this.file = file;
    }

    public static RiskGauge open(Path path) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new RiskGauge(channel.map(FileChannel.MapMode.READ_WRITE, 0, READINGS + 2L * READING));
        }
    }

    /** A response is about to leave: counted before, so that none that left is missing. */
    synchronized void responded(int bytes) {
        file.putLong(0, file.getLong(0) + 1);
        file.putLong(8, file.getLong(8) + bytes);
    }

    /** A request begins, with a session's lock of this fence; 0 is the end of it, or without a lock. */
    synchronized void locked(long fence) {
        file.putLong(24, fence);
    }

    /** Whether a request held a session's lock. */
    public synchronized boolean locked() {
        return file.getLong(24) != 0;
    }

    /** Responses that have left. */
    public synchronized long responses() {
        return file.getLong(0);
    }

    /** Bytes of values that the responses that have left had written. */
    public synchronized long bytes() {
        return file.getLong(8);
    }

    synchronized void record(Reading reading) {
        long next = 1 - file.getLong(16);
        int at = READINGS + (int) next * READING;
        file.putLong(at, reading.atMillis());
        file.putLong(at + 8, reading.responses());
        file.putLong(at + 16, reading.bytes());
        file.putLong(at + 24, reading.sessions());
        file.putLong(at + 32, reading.bytesAtRisk());
        file.putLong(16, next);
    }

    /** The last reading that was recorded whole. */
    public synchronized Reading last() {
        int at = READINGS + (int) file.getLong(16) * READING;
        return new Reading(
                file.getLong(at),
                file.getLong(at + 8),
                file.getLong(at + 16),
                file.getLong(at + 24),
                file.getLong(at + 32));
    }
}
