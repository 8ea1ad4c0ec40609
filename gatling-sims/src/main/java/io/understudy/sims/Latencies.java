package io.understudy.sims;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long the writes of all clients took, in microseconds as the clients measured them. Threads: any. */
final class Latencies {

    /** Enough to tell 1 % apart. */
    private static final int DIGITS = 3;

    private static final long NANOS_PER_MICRO = 1_000;

    private final Histogram answered = new ConcurrentHistogram(DIGITS);
    private final Histogram visible = new ConcurrentHistogram(DIGITS);
    private final Histogram visibleAfterAnswer = new ConcurrentHistogram(DIGITS);
    private final LongAdder stale = new LongAdder();
    private final LongAdder never = new LongAdder();
    private final LongAdder unacknowledged = new LongAdder();

    void answered(long nanos) {
        answered.recordValue(nanos / NANOS_PER_MICRO);
    }

    /** A write was seen on another node. */
    void visible(long sinceSentNanos, long sinceAnsweredNanos) {
        visible.recordValue(sinceSentNanos / NANOS_PER_MICRO);
        visibleAfterAnswer.recordValue(sinceAnsweredNanos / NANOS_PER_MICRO);
    }

    /** A read of another node, sent after the write was answered, did not show the write. */
    void stale() {
        stale.increment();
    }

    void neverVisible() {
        never.increment();
    }

    void unacknowledged() {
        unacknowledged.increment();
    }

    /** Rows of {@link #row}. */
    List<String> rows() {
        List<String> rows = new ArrayList<>();
        rows.add(row("client: write answered", answered));
        rows.add(row("client: write sent to visible elsewhere", visible));
        rows.add(row("client: write answered to visible elsewhere", visibleAfterAnswer));
        return rows;
    }

    /** The counts that are no latencies, one line each. */
    List<String> counts() {
        return List.of(
                "reads that did not show the write yet: " + stale.sum(),
                "writes that never got visible: " + never.sum(),
                "writes refused, degraded or unanswered: " + unacknowledged.sum());
    }

    static String header() {
        return String.format("%-48s %10s %10s %10s %10s", "microseconds", "count", "p50", "p99", "p99.9");
    }

    static String row(String name, long count, double p50, double p99, double p999) {
        return String.format("%-48s %10d %10.0f %10.0f %10.0f", name, count, p50, p99, p999);
    }

    private static String row(String name, Histogram histogram) {
        return row(
                name,
                histogram.getTotalCount(),
                (double) histogram.getValueAtPercentile(50),
                (double) histogram.getValueAtPercentile(99),
                (double) histogram.getValueAtPercentile(99.9));
    }
}
