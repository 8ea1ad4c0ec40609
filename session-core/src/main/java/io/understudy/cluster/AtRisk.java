package io.understudy.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * What would be lost if this node died now: the sessions, and the bytes of their changes, that not every member holds which
 * is to hold them. Exact; each operation takes constant time.
 *
 * <p>A change is added before any byte of it is sent and removed when the last member holds it, so what a reading misses
 * has not left this node yet.
 *
 * <p>Threads: any; guarded by this.
 */
final class AtRisk {

    private static final class Session {
        private long changes;
        private long bytes;
    }

    @GuardedBy("this")
    private final Map<Long, Session> scopes = new HashMap<>();

    @GuardedBy("this")
    private long changes;

    @GuardedBy("this")
    private long bytes;

    /**
     * A change of a session is at risk from now on.
     *
     * @param scope the session's key
     * @param bytes of the change; the same is given to {@link #remove}
     */
    synchronized void add(long scope, int bytes) {
        Session session = scopes.computeIfAbsent(scope, key -> new Session());
        session.changes++;
        session.bytes += bytes;
        this.changes++;
        this.bytes += bytes;
    }

    /**
     * A change that was added is at risk no longer.
     *
     * @throws IllegalStateException if the session has no change at risk: it was removed twice, or never added
     */
    synchronized void remove(long scope, int bytes) {
        Session session = scopes.get(scope);
        if (session == null) {
            throw new IllegalStateException("expected a change of session " + Long.toHexString(scope)
                    + " at risk, found none; each change that is added has to be removed once");
        }
        session.changes--;
        session.bytes -= bytes;
        if (session.changes == 0) {
            scopes.remove(scope);
        }
        this.changes--;
        this.bytes -= bytes;
    }

    /** Sessions with at least one change at risk. */
    synchronized long sessions() {
        return scopes.size();
    }

    /** Changes at risk: at least one for each acknowledged write that may be lost. */
    synchronized long changes() {
        return changes;
    }

    /** Bytes of all changes at risk. */
    synchronized long bytes() {
        return bytes;
    }

    /** The sessions at risk that are of a kind; takes time in proportion to those at risk. */
    synchronized long sessions(LongPredicate kind) {
        return scopes.keySet().stream().filter(kind::test).count();
    }

    /** The bytes of those. */
    synchronized long bytes(LongPredicate kind) {
        return scopes.entrySet().stream()
                .filter(session -> kind.test(session.getKey()))
                .mapToLong(session -> session.getValue().bytes)
                .sum();
    }
}
