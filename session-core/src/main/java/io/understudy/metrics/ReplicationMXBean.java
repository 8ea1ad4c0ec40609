package io.understudy.metrics;

import java.util.Map;

/** A node's figures by JMX: {@code io.understudy:type=Node,cluster=...,node=...}. */
public interface ReplicationMXBean {

    /** Whether the node holds all sessions of its applications. */
    boolean isReady();

    /** Why it is not ready, or since when it is. */
    String getReadiness();

    /** The members of the view. */
    String getView();

    /** Live sessions held, over all applications. */
    long getSessions();

    /** Sessions whose last changes are not yet acknowledged: lost if this node dies now. */
    long getSessionsAtRisk();

    /** Bytes of changes not yet acknowledged. */
    long getBytesAtRisk();

    /** Every counter by name. */
    Map<String, Long> getCounters();

    /** Replication lag in microseconds by peer: p50, p99, p99.9 and the count. */
    Map<String, String> getLag();
}
