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
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Brings an application's sessions over a stop of all members: written by the last, read by the first.
 *
 * <p>Threads: any; {@link #announce} one at a time.
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

    /** Whether this member stops: what it has not brought back yet stays in the file. */
    private volatile boolean stopping;

    /** Held while sessions are brought back. */
    private final Lock running = new ReentrantLock();

    private volatile long age = -1;

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

    /** Brings them back, unless this member stops: then they are {@link #pending} still. */
    public void run() {
        running.lock();
        try {
            if (pending && !stopping) {
                application.waitingFor("the sessions of its last run to be read");
                restore();
            }
        } catch (CancellationException e) {
            if (!stopping) {
                throw e;
            }
            application.waitingFor("nothing, as this node stops");
        } finally {
            running.unlock();
        }
    }

    private void restore() {
        age = kept.restore(
                application.name(),
                this::take,
                (number, why) -> unreadable.leftOut("record " + number + " of the sessions kept", why));
        pending = false;
        if (age >= 0) {
            application.restored();
        }
    }

    private void take(Update update) {
        if (stopping) {
            throw new CancellationException("this node stops; the file stays");
        }
        metrics.count(Counter.SESSIONS_RESTORED);
        taken.accept(update);
    }

    /**
     * This member stops: brings nothing back any more. Waits for the thread that brings sessions back now, which soon
     * notices.
     */
    public void stop() {
        stopping = true;
        run(); // It waits, and does nothing else from now on.
    }

    /** Asks the others to take over what was brought back, once this member is ready. */
    public void announce() {
        if (age >= 0) {
            letters.sendToAll(new Restored(application.number(), age));
            age = -1;
        }
    }

    /**
     * Keeps the sessions for the next start, as no other member goes on with them. Parked updates are nobody's session.
     *
     * @return whether they are kept; else the log has the reason
     */
    boolean keep() {
        return kept.keep(
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
