package io.understudy.cluster.restart;

import io.understudy.cluster.convergence.ReconcileResponder;
import io.understudy.cluster.convergence.UnreadableSessions;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.store.StoredReplica;
import io.understudy.wire.Frame.Restored;
import io.understudy.wire.Frame.Update;
import java.util.function.Consumer;

/**
 * Brings an application's sessions over a stop of all members: written by the last, read by the first.
 *
 * <p>Threads: any for {@link #pending}; else one at a time.
 */
public final class SessionRestore {

    private final LocalApplication application;
    private final SessionFiles kept;
    private final FrameSender letters;
    private final ReconcileResponder answers;
    private final UnreadableSessions unreadable;
    private final ReplicationMetrics metrics;
    private final Consumer<Update> taken;
    private volatile boolean pending;
    private long age = -1;

    /** @param taken takes each session that is brought back */
    public SessionRestore(
            LocalApplication application,
            SessionFiles kept,
            FrameSender letters,
            ReconcileResponder answers,
            UnreadableSessions unreadable,
            ReplicationMetrics metrics,
            Consumer<Update> taken) {
        this.application = application;
        this.kept = kept;
        this.letters = letters;
        this.answers = answers;
        this.unreadable = unreadable;
        this.metrics = metrics;
        this.taken = taken;
        this.pending = kept.restorable(application.name());
    }

    /** Whether this member has sessions of an earlier run to bring back. */
    public boolean pending() {
        return pending;
    }

    /** Whether another member may have some and this one has none. */
    public boolean elsewhere() {
        return kept.on() && !pending && age < 0;
    }

    /** Brings them back. */
    public void run() {
        if (pending) {
            application.waitingFor("the sessions of its last run to be read");
            age = kept.restore(
                    application.name(),
                    update -> {
                        metrics.count(Counter.SESSIONS_RESTORED);
                        taken.accept(update);
                    },
                    (number, why) -> unreadable.leftOut("record " + number + " of the sessions kept", why));
            pending = false;
        }
    }

    /** Asks the others to take over what was brought back, once this member is ready. */
    public void announce() {
        if (age >= 0) {
            letters.sendToAll(new Restored(application.number(), age));
            age = -1;
        }
    }

    /** Keeps the sessions for the next start, as no other member goes on with them. Parked updates are nobody's session. */
    void keep() {
        kept.keep(
                application.name(),
                application
                        .store()
                        .streamWhole()
                        .filter(stored -> !parked(stored))
                        .map(answers::update)
                        .iterator());
    }

    private static boolean parked(StoredReplica stored) {
        return stored.replica().parked();
    }
}
