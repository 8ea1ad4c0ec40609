package io.understudy.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * A node's counters, and its replication lag per peer: from the merge of a change here until that peer's
 * acknowledgement arrived here. Both ends are read from this node's clock, so the lag includes the acknowledgement's way
 * back and is an upper bound of the time until the peer held the change.
 *
 * <p>Threads: any.
 */
public final class ReplicationMetrics {

    /** Lags above this, in microseconds (one minute), are recorded as this. */
    private static final long MAX_LAG_MICROS = 60_000_000;

    /** Significant decimal digits of a recorded lag: 40 KB for each peer, with 3 they are 280 KB. */
    private static final int LAG_DIGITS = 2;

    private final Map<Counter, LongAdder> counters = new EnumMap<>(Counter.class);
    private final Map<String, Histogram> lags = new ConcurrentHashMap<>();

    public ReplicationMetrics() {
        for (Counter counter : Counter.values()) {
            counters.put(counter, new LongAdder());
        }
    }

    public void count(Counter counter) {
        count(counter, 1);
    }

    public void count(Counter counter, long by) {
        LongAdder adder = counters.get(counter);
        if (adder != null) {
            adder.add(by);
        }
    }

    public long value(Counter counter) {
        LongAdder adder = counters.get(counter);
        return adder == null ? 0 : adder.sum();
    }

    /** Where one peer's lags go. */
    @FunctionalInterface
    public interface Lag {
        /** A change took this long, in nanoseconds, until the peer acknowledged it. */
        void record(long nanos);
    }

    /** For how long changes took until {@code peer}, a member of the view, acknowledged them. */
    public Lag lag(String peer) {
        Histogram lag = lags.computeIfAbsent(peer, name -> new ConcurrentHistogram(MAX_LAG_MICROS, LAG_DIGITS));
        return nanos -> lag.recordValue(Math.min(MAX_LAG_MICROS, Math.max(0, nanos / 1000)));
    }

    /** Forgets the lags of all peers but these: the members of the view. */
    public void peers(Set<String> present) {
        lags.keySet().retainAll(present);
    }

    /** A copy of the lags by peer, in microseconds. */
    public Map<String, Histogram> lags() {
        Map<String, Histogram> copies = new TreeMap<>();
        lags.forEach((peer, lag) -> copies.put(peer, lag.copy()));
        return copies;
    }

    /**
     * Shows the lags of one peer after the other, in microseconds.
     *
     * @param reader gets the peer, and a histogram that holds the next peer's lags afterwards
     */
    void eachLag(BiConsumer<String, Histogram> reader) {
        Histogram copy = new Histogram(MAX_LAG_MICROS, LAG_DIGITS);
        for (String peer : new TreeSet<>(lags.keySet())) {
            Histogram lag = lags.get(peer);
            if (lag != null) {
                lag.copyInto(copy);
                reader.accept(peer, copy);
            }
        }
    }

    /** The lags by peer, each as one line of percentiles in microseconds and the count. */
    public Map<String, String> lagSummaries() {
        Map<String, String> summaries = new TreeMap<>();
        eachLag((peer, lag) -> summaries.put(
                peer,
                "p50=" + lag.getValueAtPercentile(50) + " p99=" + lag.getValueAtPercentile(99) + " p99.9="
                        + lag.getValueAtPercentile(99.9) + " count=" + lag.getTotalCount()));
        return summaries;
    }
}
