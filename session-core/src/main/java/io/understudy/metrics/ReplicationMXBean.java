package io.understudy.metrics;

import java.util.List;
import java.util.Map;

/** A node's figures by JMX: {@code io.understudy:type=Node,cluster=...,node=...}. */
public interface ReplicationMXBean {

    /** Whether the node holds all sessions of its applications. */
    boolean isReady();

    /** Why it is not ready, or what it holds and who the other members are. */
    String getReadiness();

    /** The members of the view. */
    String getView();

    /** Live sessions held, over all applications. */
    long getSessions();

    /** Sessions with changes that not every member holds which is to hold them: lost if this node dies now. */
    long getSessionsAtRisk();

    /** Those changes. */
    long getChangesAtRisk();

    /** Bytes of those changes. */
    long getBytesAtRisk();

    /** Bytes of heap that the sessions take, by estimate. */
    long getReplicaBytes();

    /** Sessions whose attributes are on disk. */
    long getSessionsSpilled();

    /** Attributes that somebody asked for on this node and that can't be decoded here; kept as bytes. At most 10,000 are known of. */
    long getAttributesQuarantined();

    /** Whether this node's commits wait for acknowledgements, and all its earlier changes are acknowledged by all. */
    boolean isNodeCoherent();

    /** Turns it; returns when it is, and every other member of the view knows. */
    void setNodeCoherent(boolean coherent);

    /** Whether every member of the view is coherent. */
    boolean isClusterCoherent();

    /** Waits until every member of the view is coherent; false if {@code millis} are over before. */
    boolean waitUntilClusterCoherent(long millis) throws InterruptedException;

    /**
     * Prepares the node for being stopped: not ready any more, it waits, {@code millis} at most, until no request uses
     * a session and the others hold all that it has. Returns the result, in a line.
     */
    String drain(long millis) throws InterruptedException;

    /** Takes a drain back. Returns in a line whether the node is ready, and if not, why. */
    String undrain();

    /** What happened to the session with this id, in any application: who claimed and who ended it; oldest first. */
    List<String> audit(String id);

    /** The last things that happened to sessions, {@code count} at most for each application; oldest first. */
    List<String> lastAudits(int count);

    /** What the session doctor found, where {@code sessionDoctor} is on: what replication loses, with its object path. */
    List<String> getFindings();

    /** The largest encoded size, in bytes, that it saw of attributes by name; with the empty name, of sessions. */
    Map<String, Long> getAttributeSizes();

    /**
     * Live sessions of other members that this node could not take over whole, by reason; an estimate, if there are more than a
     * rehearsal looks at. Empty if there are none, or {@code takeOverRehearsal} is off.
     */
    Map<String, Long> getSessionsFailingHere();

    /** Live sessions on this node that no other node could take over whole, by reason: their attributes are on this node only, or it is alone. */
    Map<String, Long> getSessionsFailingElsewhere();

    /** The causes of both, with attributes, classes and keys of some sessions. */
    List<String> getTakeOverFailures();

    /** Whether rehearsals go on, or are off; false while the decoding of a value does not return. */
    boolean isRehearsalHealthy();

    /** Frames that came from the network and were not read, by cause. */
    Map<String, Long> getFramesRefused();

    /** TLS connections that were not made, by cause. */
    Map<String, Long> getHandshakesRefused();

    /** For how many seconds this node's certificate is valid still; -1 without TLS. */
    long getCertificateSecondsLeft();

    /** How each other member is reached by what this one sends to all: by multicast or TCP, since when and why. */
    List<String> getReached();

    /** Every counter by name. */
    Map<String, Long> getCounters();

    /** Replication lag in microseconds by peer: p50, p99, p99.9 and the count. */
    Map<String, String> getLag();
}
