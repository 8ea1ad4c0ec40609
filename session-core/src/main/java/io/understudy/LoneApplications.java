package io.understudy;

import io.understudy.audit.AuditEvent;
import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ClusterChannel;
import io.understudy.config.UnderstudyConfig;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Applications with sessions that no other member is ready for: other nodes are down, or a port or the network between
 * them is blocked. After 30 seconds of that the log has a line, and the audit some of the sessions. Another line
 * follows when a member is ready again. A node that restarts within that time makes none.
 *
 * <p>Threads: {@link #look} one at a time; the others any.
 */
final class LoneApplications {

    private static final Logger LOG = System.getLogger(LoneApplications.class.getName());

    /** An application that is alone for this time, in milliseconds, is logged. */
    static final long GRACE_MILLIS = 30_000;

    /** Most sessions of an application that are noted in the audit. */
    static final int MAX_NOTED = 20;

    private static final class Lone {

        private final long sinceMillis;
        private boolean logged;

        Lone(long sinceMillis) {
            this.sinceMillis = sinceMillis;
        }
    }

    private final ClusterChannel channel;
    private final UnderstudyConfig config;
    private final TimeSource time;
    private final Map<String, Lone> lone = new HashMap<>();

    LoneApplications(ClusterChannel channel, UnderstudyConfig config, TimeSource time) {
        this.channel = channel;
        this.config = config;
        this.time = time;
    }

    /** A session that only this node has whole goes into the audit. */
    static void note(ApplicationGroup group, SessionReplica session, TimeSource time, UnderstudyConfig config) {
        group.expiry()
                .audit()
                .add(
                        time.wallMillis(),
                        session.id(),
                        session.key(),
                        AuditEvent.NOT_SURVIVING_ELSEWHERE,
                        config.nodeName());
    }

    /** To be called about once in a second. */
    void look() {
        Set<String> present =
                channel.groups().stream().map(ApplicationGroup::label).collect(Collectors.toSet());
        lone.keySet().retainAll(present);
        channel.groups().forEach(this::look);
    }

    private void look(ApplicationGroup group) {
        if (!group.ready()) {
            return; // It may be joining anew, as after a merge: whether it is alone shows when it has.
        }
        Lone before = lone.get(group.label());
        if (!channel.figures().alone(group)) {
            lone.remove(group.label());
            if (before != null && before.logged) {
                LOG.log(Level.INFO, "{0} - another member is ready for this application again", group.label());
            }
        } else if (before == null) {
            lone.put(group.label(), new Lone(time.monotonicMillis()));
        } else if (!before.logged
                && time.monotonicMillis() - before.sinceMillis >= GRACE_MILLIS
                && group.store().liveCount() > 0) {
            before.logged = true;
            group.store().stream()
                    .map(stored -> stored.replica())
                    .filter(SessionReplica::live)
                    .limit(MAX_NOTED)
                    .forEach(session -> note(group, session, time, config));
            LOG.log(
                    Level.WARNING,
                    "{0} - no other member is ready for this application: its {1} session(s) would not survive this "
                            + "node. Other nodes are down, or a port or the network between the nodes is blocked",
                    group.label(),
                    group.store().liveCount());
        }
    }

    /** A line for each application with sessions. */
    List<String> lines() {
        return channel.groups().stream()
                .filter(group -> channel.figures().alone(group) && group.store().liveCount() > 0)
                .map(group -> group.label() + " - no other member is ready for this application (" + NodeGauges.ALONE
                        + "): all its " + group.store().liveCount() + " session(s) are on this node only")
                .toList();
    }
}
