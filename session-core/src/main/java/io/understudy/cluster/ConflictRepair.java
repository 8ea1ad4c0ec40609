package io.understudy.cluster;

import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import io.understudy.threads.ChannelThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jgroups.Address;

/**
 * What a member tells the others without a request's doing: two sessions with one id become one, a session that came back
 * after its end was forgotten ends anew, and changes of a member that is gone are passed on.
 *
 * <p>Threads: {@link #passOn} any, without waiting; the others those that may wait.
 */
final class ConflictRepair {

    private static final Logger LOG = System.getLogger(ConflictRepair.class.getName());

    private final LocalApplication application;
    private final Members members;
    private final ChannelThreads threads;
    private final ReplicationMetrics metrics;
    private final ObjLongConsumer<SessionDelta> change;

    /** @param change makes a change of this member, of a session that began so many milliseconds ago */
    ConflictRepair(
            LocalApplication application,
            Members members,
            ChannelThreads threads,
            ReplicationMetrics metrics,
            ObjLongConsumer<SessionDelta> change) {
        this.application = application;
        this.members = members;
        this.threads = threads;
        this.metrics = metrics;
        this.change = change;
    }

    /** The sessions with this id become the one that was created first. */
    void unite(String id) {
        List<SessionDelta> deltas = application.store().united(id);
        if (!deltas.isEmpty()) {
            metrics.count(Counter.SESSIONS_UNITED, deltas.size() / 2);
            LOG.log(
                    Level.WARNING,
                    "{0} - {1} sessions have the same id: the session that was created first takes over the "
                            + "contents of the others",
                    application.label(),
                    deltas.size() / 2 + 1);
            deltas.forEach(this::publish);
        }
    }

    void endAnew(SessionKey key) {
        publish(SessionDelta.invalidated(key));
    }

    /** What comes of a member that is gone may have come here only, after the others compared what they hold. */
    void passOn(Address sender, SessionDelta merged) {
        if (!members.view().contains(sender)) {
            boolean unused = threads.executeAsking("passing a change on", () -> publish(merged));
        }
    }

    private void publish(SessionDelta delta) {
        StoredReplica stored = application.store().header(delta.key());
        change.accept(delta, stored == null ? 0 : Math.max(0, application.now() - stored.createdAt()));
    }
}
