package io.understudy.session.requests;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import java.util.concurrent.Semaphore;

/**
 * How many requests of a node may wait at once, for other members or for a session's lock. One more is refused at once,
 * or, if it ends or changes a session, soon goes on without waiting. Otherwise a member that stalls, or a client that
 * sends many requests of one session, would take every thread of the container.
 *
 * <p>Threads: any.
 */
public final class WaitLimit {

    private final int most;
    private final Semaphore places;
    private final ReplicationMetrics metrics;

    public WaitLimit(int most, ReplicationMetrics metrics) {
        this.most = most;
        this.places = new Semaphore(most);
        this.metrics = metrics;
    }

    /** Requests that wait now. */
    public int waiting() {
        return most - places.availablePermits();
    }

    /** For one request, which does not wait yet. */
    public Turn turn() {
        return new Turn();
    }

    /** A request that takes a place when it has to wait first, and keeps it until it is closed. Threads: any, one at a time. */
    public final class Turn implements AutoCloseable {

        private boolean taken;
        private boolean refused;

        private Turn() {}

        /** Whether the request may wait; if not it is counted, once, and is to go on without. */
        public boolean mayWait() {
            if (!taken && !refused) {
                taken = places.tryAcquire();
                refused = !taken;
                metrics.count(Counter.REQUESTS_NOT_WAITING, refused ? 1 : 0);
            }
            return taken;
        }

        @Override
        public void close() {
            if (taken) {
                taken = false;
                places.release();
            }
        }
    }
}
