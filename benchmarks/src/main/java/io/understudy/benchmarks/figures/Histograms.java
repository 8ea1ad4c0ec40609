package io.understudy.benchmarks.figures;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Histograms of times, and as one word. */
public final class Histograms {

    private static final long MAX_MICROS = 60_000_000;
    private static final int DIGITS = 3;

    private Histograms() {}

    /** A histogram for {@link #record}, in microseconds; any thread may record. */
    public static Histogram ofMicros() {
        return new ConcurrentHistogram(MAX_MICROS, DIGITS);
    }

    /** Times above a minute are recorded as that. */
    public static void record(Histogram micros, long nanos) {
        micros.recordValue(Math.min(MAX_MICROS, nanos / 1000));
    }

    /** Counts for a request that waited also those that its client would have made meanwhile. */
    public static Histogram corrected(Histogram micros, long thinkMillis) {
        return micros.copyCorrectedForCoordinatedOmission(thinkMillis * 1000L + micros.getValueAtPercentile(50));
    }

    public static String text(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /**
     * What {@link #text} wrote.
     *
     * @throws DataFormatException if it is not that
     */
    public static Histogram parse(String text) throws DataFormatException {
        return Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    }
}
