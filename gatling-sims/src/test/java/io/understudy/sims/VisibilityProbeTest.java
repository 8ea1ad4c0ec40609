package io.understudy.sims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.sims.Answer.Shop;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class VisibilityProbeTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final Latencies latencies = new Latencies();
    private final VisibilityProbe probe = new VisibilityProbe("ann", latencies);

    @BeforeEach
    void annIsLoggedIn() {
        probe.logIn(shows("s1", 0, false));
        probe.send(0);
    }

    @Test
    void aWriteSeenAtTheFirstLookIsVisibleAndNotStale() {
        probe.written(shows("s1", 1, false), SECOND / 1_000);
        probe.looked(shows("s1", 1, false), SECOND / 500);
        assertFalse(probe.looking());
        assertTrue(probe.allVisible());
        assertTrue(probe.neverStale());
        assertTrue(latencies.rows().get(1).matches(".*elsewhere +1 +20\\d\\d .*"), latencies.rows()::toString);
    }

    @Test
    void aWriteSeenLaterWasStale() {
        probe.written(shows("s1", 1, false), 0);
        probe.looked(shows("s1", 0, false), 1);
        assertTrue(probe.looking());
        probe.looked(shows("s1", 1, false), 2);
        assertTrue(probe.allVisible());
        assertFalse(probe.neverStale());
    }

    @Test
    void aWriteNotSeenInTimeIsLost() {
        probe.written(shows("s1", 1, false), 0);
        probe.looked(shows("s1", 0, false), 11 * SECOND);
        assertFalse(probe.looking());
        assertFalse(probe.allVisible());
    }

    @Test
    void anotherSessionIsNotTheWrite() {
        probe.written(shows("s1", 1, false), 0);
        probe.looked(shows("s2", 9, false), 1);
        assertTrue(probe.looking());
    }

    @Test
    void whatIsNotAcknowledgedIsNotLookedFor() {
        probe.written(Answer.of(503, "", MILLI), 1);
        assertFalse(probe.looking());
        probe.written(shows("s1", 1, true), 1);
        assertFalse(probe.looking());
        assertFalse(probe.allVisible(), "nothing was seen at all");
        assertTrue(latencies.counts().get(2).endsWith(": 2"));
    }

    @Test
    void theNodesOwnLagIsReadFromTheirMetrics() {
        String before = metrics(100, 250);
        String after = metrics(160, 300);
        Map<String, NodeMetrics.Lag> lag = NodeMetrics.since(NodeMetrics.lags(before), NodeMetrics.lags(after));
        assertEquals(60, lag.get("jetty-2").count());
        assertEquals(300, lag.get("jetty-2").quantile("0.5"));
        assertEquals(4_000, lag.get("jetty-2").quantile("0.99"));
        assertTrue(Double.isNaN(lag.get("jetty-2").quantile("0.999")));
        assertEquals(Map.of(), NodeMetrics.lags("understudy_sessions 3\n"));
        assertEquals(
                3,
                NodeMetrics.counter(
                        "# TYPE understudy_sessions gauge\nunderstudy_sessions 3\n", "understudy_sessions"));
    }

    private static String metrics(int count, int median) {
        String name = "understudy_replication_lag_microseconds";
        return "# TYPE " + name + " summary\n"
                + name + "{peer=\"jetty-2\",quantile=\"0.5\"} " + median + "\n"
                + name + "{peer=\"jetty-2\",quantile=\"0.99\"} 4.0E3\n"
                + name + "_sum{peer=\"jetty-2\"} 77777\n"
                + name + "_count{peer=\"jetty-2\"} " + count + "\n";
    }

    private static Answer shows(String session, int counter, boolean degraded) {
        return new Answer(200, new Shop("jetty-2", session, "ann", Map.of(Shop.COUNTER, counter), degraded), MILLI);
    }
}
