package io.understudy.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lags by peer, and what they take. */
@Tag("rules")
class LagsTest {

    private static final int PEERS = 50;

    private final ReplicationMetrics metrics = new ReplicationMetrics();

    private void lags(int peer, int micros, int times) {
        ReplicationMetrics.Lag lag = metrics.lag("peer-" + peer);
        IntStream.range(0, times).forEach(i -> lag.record(micros * 1000L));
    }

    @Test
    void eachPeerHasItsOwnFigures() {
        lags(1, 100, 3);
        lags(2, 2000, 5);
        String text = MetricsText.of(metrics, Map.of());
        assertTrue(
                text.contains("understudy_replication_lag_microseconds{peer=\"peer-1\",quantile=\"0.5\"} 100\n"), text);
        assertTrue(text.contains("understudy_replication_lag_microseconds_count{peer=\"peer-1\"} 3\n"), text);
        assertTrue(text.contains("understudy_replication_lag_microseconds_count{peer=\"peer-2\"} 5\n"), text);
        assertTrue(text.indexOf("peer-1") < text.indexOf("peer-2"));
        assertEquals(
                List.of("peer-1", "peer-2"), List.copyOf(metrics.lagSummaries().keySet()));
        assertEquals("p50=100 p99=100 p99.9=100 count=3", metrics.lagSummaries().get("peer-1"));
    }

    @Test
    void aLagIsRecordedToOnePercent() {
        lags(1, 1_234_567, 1);
        double read = metrics.lags().get("peer-1").getMaxValue();
        assertNotEquals(0, read);
        assertEquals(1_234_567, read, 1_234_567 / 100.0);
    }

    @Test
    void aScrapeCopiesOnePeerAtATime() {
        for (int peer = 0; peer < PEERS; peer++) {
            lags(peer, 100 * peer, 1);
        }
        long ofPeer = metrics.lags().get("peer-0").getEstimatedFootprintInBytes();
        assertTrue(ofPeer < 64 << 10, ofPeer + " bytes for a peer");
        long counters = garbage(new ReplicationMetrics());
        long all = garbage(metrics) - counters;
        assertTrue(all < 10 * ofPeer, all + " bytes of garbage of " + PEERS + " peers, " + ofPeer + " bytes each");
    }

    /** The least of some scrapes. */
    private static long garbage(ReplicationMetrics of) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 5; run++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            String text = MetricsText.of(of, Map.of());
            String lines = of.lagSummaries().toString();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            assertTrue(!text.isEmpty() && !lines.isEmpty());
        }
        return least;
    }
}
