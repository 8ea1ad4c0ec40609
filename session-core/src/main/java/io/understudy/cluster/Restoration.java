package io.understudy.cluster;

import io.understudy.codec.Frame.Restored;
import io.understudy.metrics.Counter;
import io.understudy.store.StoredReplica;

/**
 * Brings an application's sessions over a stop of all members: written by the last, read by the first.
 *
 * <p>Threads: any for {@link #pending}; else one at a time.
 */
final class Restoration {

    private final ApplicationGroup group;
    private final ClusterChannel channel;
    private final KeptSessions kept;
    private volatile boolean pending;
    private long age = -1;

    Restoration(ApplicationGroup group, ClusterChannel channel) {
        this.group = group;
        this.channel = channel;
        this.kept = channel.kept();
        this.pending = kept.restorable(group.name());
    }

    /** Whether this member has sessions of an earlier run to bring back. */
    boolean pending() {
        return pending;
    }

    /** Whether another member may have some and this one has none. */
    boolean elsewhere() {
        return kept.on() && !pending && age < 0;
    }

    /** Brings them back. */
    void run() {
        if (pending) {
            group.waitingFor("the sessions of its last run to be read");
            age = kept.restore(
                    group.name(),
                    update -> {
                        channel.metrics().count(Counter.SESSIONS_RESTORED);
                        group.incoming().taken(update);
                    },
                    (number, why) -> group.unreadable().leftOut("record " + number + " of the sessions kept", why));
            pending = false;
        }
    }

    /** Asks the others to take over what was brought back, once this member is ready. */
    void announce() {
        if (age >= 0) {
            channel.sendToAll(new Restored(group.number(), age));
            age = -1;
        }
    }

    /** Keeps the sessions for the next start, as no other member goes on with them. Parked updates are nobody's session. */
    void keep() {
        kept.keep(
                group.name(),
                group.store()
                        .streamWhole()
                        .filter(stored -> !parked(stored))
                        .map(group::update)
                        .iterator());
    }

    private static boolean parked(StoredReplica stored) {
        return stored.replica().parked();
    }
}
