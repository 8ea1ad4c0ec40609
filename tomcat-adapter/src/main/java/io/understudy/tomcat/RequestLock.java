package io.understudy.tomcat;

import io.understudy.session.lock.SessionLock;
import org.jspecify.annotations.Nullable;

/** The lock of a request's session, if its path takes one, until the request is over. Threads: any. */
final class RequestLock {

    private volatile @Nullable SessionLock lock;

    /**
     * Waits for the lock of the session with this id, if requests to this path take it.
     *
     * @return {@code false} if it was refused
     */
    boolean take(UnderstudyManager manager, String id, String path) {
        SessionLock taken = manager.arrivals().lock(id, path);
        lock = taken;
        return taken == null || !taken.refused();
    }

    /** Whether the request has, or had, a lock. */
    boolean held() {
        return lock != null;
    }

    /** Gives it back. Does nothing more when called again. */
    void close() {
        SessionLock taken = lock;
        if (taken != null) {
            taken.close();
        }
    }
}
