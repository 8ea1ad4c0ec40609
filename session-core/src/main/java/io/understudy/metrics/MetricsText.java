package io.understudy.metrics;

import java.util.Map;
import org.HdrHistogram.Histogram;

/** A node's figures in the Prometheus text format, version 0.0.4. */
public final class MetricsText {

    private static final double[] QUANTILES = {0.5, 0.99, 0.999};

    private MetricsText() {}

    /** All counters, gauges and lags of a node. */
    public static String of(ReplicationMetrics metrics, Map<String, Long> gauges) {
        StringBuilder out = new StringBuilder();
        for (Counter counter : Counter.values()) {
            String name = "understudy_" + counter.key() + "_total";
            out.append("# HELP ").append(name).append(' ').append(counter.description());
            out.append("\n# TYPE ").append(name).append(" counter\n");
            out.append(name).append(' ').append(metrics.value(counter)).append('\n');
        }
        gauges.forEach((gauge, value) -> out.append("# TYPE understudy_" + gauge + " gauge\nunderstudy_")
                .append(gauge)
                .append(' ')
                .append(value)
                .append('\n'));
        out.append(
                "# HELP understudy_replication_lag_microseconds From the merge here to the peer's acknowledgement.\n");
        out.append("# TYPE understudy_replication_lag_microseconds summary\n");
        metrics.eachLag((peer, lag) -> appendLag(out, peer, lag));
        return out.toString();
    }

    private static void appendLag(StringBuilder out, String peer, Histogram lag) {
        String label = "peer=\"" + peer.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        for (double quantile : QUANTILES) {
            out.append("understudy_replication_lag_microseconds{" + label + ",quantile=\"" + quantile + "\"} ");
            out.append(lag.getValueAtPercentile(quantile * 100)).append('\n');
        }
        out.append("understudy_replication_lag_microseconds_count{" + label + "} ");
        out.append(lag.getTotalCount()).append('\n');
    }
}
