package io.understudy.cluster;

import io.understudy.cluster.delivery.AckTracker;
import io.understudy.cluster.delivery.Outbox;
import io.understudy.cluster.locking.ClusterLocks;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.detection.ASYNC_FD_SOCK2;
import io.understudy.network.stack.PeerRoutes;
import io.understudy.network.transport.QUEUED_TCP;
import io.understudy.ordering.SCOPE;
import io.understudy.tls.Certificates;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.JChannel;

/** The momentary figures of a {@link ClusterChannel}, for people and metrics. Threads: any. */
public final class ChannelFigures {

    private final UnderstudyConfig config;
    private final JChannel channel;
    private final SCOPE scopes;
    private final Members members;
    private final AckTracker tracker;
    private final Outbox outbox;
    private final ClusterLocks locks;
    private final Supplier<List<LocalApplication>> applications;
    private final NodeRisk risk;

    /** @param applications the node's, as they are when it is called */
    ChannelFigures(
            UnderstudyConfig config,
            JChannel channel,
            SCOPE scopes,
            Members members,
            AckTracker tracker,
            Outbox outbox,
            ClusterLocks locks,
            Supplier<List<LocalApplication>> applications) {
        this.config = config;
        this.channel = channel;
        this.scopes = scopes;
        this.members = members;
        this.tracker = tracker;
        this.outbox = outbox;
        this.locks = locks;
        this.applications = applications;
        this.risk = new NodeRisk(tracker, members, applications);
    }

    /** Changes that had to wait for an earlier one of their session. */
    public long changesHeld() {
        return scopes.getHeldMessages();
    }

    /** Changes merged without the earlier one they waited for, as it did not come in time. */
    public long changesReleased() {
        return scopes.getReleasedMessages();
    }

    /**
     * How many sessions would lose something if this node died now: a ready member lacks a change of the session, the
     * session is unshared, or no other member is ready for its application.
     */
    public long sessionsAtRisk() {
        return risk.sessions();
    }

    /** All sessions of applications that no other member is ready for. */
    public long sessionsAlone() {
        return risk.sessionsAlone();
    }

    /** Whether this node is ready for an application, and no other member is. */
    public boolean alone(ApplicationGroup group) {
        return risk.alone(group.application());
    }

    /**
     * Bytes of those changes, and of the attributes of those sessions. While no other member is ready for an application
     * a reading takes time in proportion to the changes at risk.
     */
    public long bytesAtRisk() {
        return risk.bytes();
    }

    /** How the other members are reached by what this one sends to all. */
    public PeerRoutes reach() {
        return new PeerRoutes(
                config,
                channel.getProtocolStack().getTransport(),
                Math.max(0, members.view().size() - 1));
    }

    /** Whether this node's failure detection has a connection to the member that it watches; else it goes by heartbeats alone. */
    public boolean watches() {
        ASYNC_FD_SOCK2 detection = channel.getProtocolStack().findProtocol(ASYNC_FD_SOCK2.class);
        return detection != null && detection.connected();
    }

    /** How long this node's certificate is valid still; empty without TLS. */
    public Optional<Duration> certificateLeft() {
        return channel.getProtocolStack().getTransport() instanceof QUEUED_TCP tcp
                ? Optional.ofNullable(tcp.certificates()).map(Certificates::left)
                : Optional.empty();
    }

    /** The other members that hold all sessions, by application. */
    public Map<String, List<String>> holders() {
        Map<String, List<String>> holders = new TreeMap<>();
        applications
                .get()
                .forEach(application -> holders.put(
                        application.name(),
                        members.serving(application.number()).stream()
                                .map(Address::toString)
                                .toList()));
        return holders;
    }

    /** Sessions with a change that waits to be sent: a member is slow, or the changes come faster than they go. */
    public int unsentSessions() {
        return outbox.sessions();
    }

    /** Changes that not every member holds which is to hold them. */
    public long changesAtRisk() {
        return tracker.atRisk().changes();
    }

    /** Requests of this node that hold a session's lock. */
    public long locksHeld() {
        return locks.held();
    }

    /** Requests of this node that wait for a session's lock. */
    public long locksWaiting() {
        return locks.waiting();
    }

    /** Locks that are held or waited for, of which this node is the home. */
    public long locksAtHome() {
        return locks.atHome();
    }
}
