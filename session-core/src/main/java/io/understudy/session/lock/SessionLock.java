package io.understudy.session.lock;

import io.understudy.config.session.OnLockTimeout;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A session's lock, in the hands of one request; or why there is none.
 *
 * <p>Threads: any; it may be closed by another thread than the one that took it.
 */
public final class SessionLock implements AutoCloseable {

    /** There is no session to lock. */
    static final SessionLock NONE = new SessionLock(false, 0, null);

    private static final SessionLock TIMED_OUT = new SessionLock(true, 0, null);
    private static final SessionLock REFUSED = new SessionLock(true, 0, null);

    private final boolean timedOut;
    private final long fence;
    private final AtomicReference<@Nullable Runnable> release;

    private SessionLock(boolean timedOut, long fence, @Nullable Runnable release) {
        this.timedOut = timedOut;
        this.fence = fence;
        this.release = new AtomicReference<>(release);
    }

    /** Another request kept the lock for longer than this one could wait. */
    static SessionLock late(OnLockTimeout then) {
        return then == OnLockTimeout.REFUSE ? REFUSED : TIMED_OUT;
    }

    static SessionLock held(long fence, Runnable release) {
        return new SessionLock(false, fence, release);
    }

    /** Whether the lock could not be had within {@code lockTimeout}: other requests may use the session now. */
    public boolean timedOut() {
        return timedOut;
    }

    /** Whether it could not be had, and the settings want the request to be answered with 503. */
    @SuppressWarnings("ReferenceEquality") // There is one of them.
    public boolean refused() {
        return this == REFUSED;
    }

    /** A number above that of every request that had the lock before in this view; 0 if it is not held. */
    public long fence() {
        return fence;
    }

    /**
     * Lets the next request have the lock, as soon as every member that is ready holds what this node changed in the
     * session; in incoherent mode, too. Does not wait for that. Only the first call counts.
     */
    @Override
    public void close() {
        Runnable once = release.getAndSet(null);
        if (once != null) {
            once.run();
        }
    }
}
