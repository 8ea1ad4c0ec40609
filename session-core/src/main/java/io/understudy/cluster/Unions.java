package io.understudy.cluster;

import io.understudy.config.Acks;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jgroups.Address;

/**
 * What a member tells the others without a request's doing: two sessions with one id become one, a session that came back
 * after its end was forgotten ends anew, and changes of a member that is gone are passed on.
 *
 * <p>Threads: {@link #passOn} any, without waiting; the others those that may wait.
 */
final class Unions {

    private static final Logger LOG = System.getLogger(Unions.class.getName());

    private final ApplicationGroup group;
    private final ClusterChannel channel;

    Unions(ApplicationGroup group, ClusterChannel channel) {
        this.group = group;
        this.channel = channel;
    }

    /** The sessions with this id become the one that was created first. */
    void unite(String id) {
        List<SessionDelta> deltas = group.store().united(id);
        if (!deltas.isEmpty()) {
            channel.metrics().count(Counter.SESSIONS_UNITED, deltas.size() / 2);
            LOG.log(
                    Level.WARNING,
                    "{0} - {1} sessions have the same id: the session that was created first takes over the "
                            + "contents of the others",
                    group.label(),
                    deltas.size() / 2 + 1);
            deltas.forEach(this::publish);
        }
    }

    void endAnew(SessionKey key) {
        publish(SessionDelta.invalidated(key));
    }

    /** What comes of a member that is gone may have come here only, after the others compared what they hold. */
    void passOn(Address sender, SessionDelta merged) {
        if (!channel.members().view().contains(sender)) {
            boolean unused = channel.asking("passing a change on", () -> publish(merged));
        }
    }

    private void publish(SessionDelta delta) {
        StoredReplica stored = group.store().header(delta.key());
        group.prepare(delta, stored == null ? 0 : Math.max(0, group.now() - stored.createdAt()), Acks.ALL);
    }
}
