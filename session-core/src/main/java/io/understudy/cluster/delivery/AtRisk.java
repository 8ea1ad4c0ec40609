package io.understudy.cluster.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
public final class AtRisk {

    /**
     * What is at risk of one session. Code that has put a change of it in here may use it until it takes the change
     * away.
     */
    public static final class Session {
        private final Long scope;
        private long changes;
        private long bytes;

        private Session(Long scope) {
            this.scope = scope;
        }

        /** The session's key. */
        Long scope() {
            return scope;
        }
    }

    @GuardedBy("this")
    private final Map<Long, Session> scopes = new HashMap<>();

    @GuardedBy("this")
    private long changes;

    @GuardedBy("this")
    private final Map<Long, List<Runnable>> waiting = new HashMap<>();

    @GuardedBy("this")
    private long bytes;

    /**
     * A change of a session is at risk from now on.
     *
     * @param key the session's
     * @param bytes of the change; take the same away again
     * @return what {@link #adjust} wants
     */
    public synchronized Session add(long key, int bytes) {
        Long scope = key; // Once, for all of its look-ups.
        Session session = scopes.get(scope);
        if (session != null) {
            count(session, 1, bytes);
            return session;
        }
        Session added = new Session(scope);
        boolean counted = false;
        try {
            scopes.put(scope, added);
            count(added, 1, bytes);
            counted = true;
            return added;
        } finally {
            if (!counted) {
                scopes.remove(scope); // A map without memory to grow has taken the entry before.
            }
        }
    }

    /** A change that was added is at risk no longer. */
    public void remove(Session session, int bytes) {
        adjust(session, -1, -bytes);
    }

    /**
     * So many more changes of a session, and so many more bytes of them, are at risk; fewer if negative.
     *
     * @param session of which the caller has at least one change at risk
     * @throws IllegalStateException if fewer would be left than none
     */
    void adjust(Session session, int changes, int bytes) {
        if (changes != 0 || bytes != 0) {
            List<Runnable> released = adjusted(session, changes, bytes);
            if (!released.isEmpty()) {
                released.forEach(Runnable::run); // They throw nothing.
            }
        }
    }

    /** @return what waited for it */
    private synchronized List<Runnable> adjusted(Session session, int changes, int bytes) {
        if (session.changes + changes < 0) {
            throw new IllegalStateException("expected " + -changes + " changes of session "
                    + Long.toHexString(session.scope) + " at risk, found " + session.changes
                    + "; each change that is added must be removed exactly once");
        }
        count(session, changes, bytes);
        if (session.changes > 0) {
            return List.of();
        }
        scopes.remove(session.scope);
        List<Runnable> released = waiting.isEmpty() ? null : waiting.remove(session.scope);
        return released == null ? List.of() : released;
    }

    @GuardedBy("this")
    private void count(Session session, int moreChanges, int moreBytes) {
        session.changes += moreChanges;
        session.bytes += moreBytes;
        changes += moreChanges;
        bytes += moreBytes;
    }

    /**
     * Has a task run as soon as the session has no change at risk.
     *
     * @param task runs in the call that removes the last change, perhaps with its caller's locks: has to hand on, and throws nothing
     * @return whether it will run; {@code false} if nothing of the session is at risk now
     */
    public synchronized boolean afterwards(long scope, Runnable task) {
        if (!scopes.containsKey(scope)) {
            return false;
        }
        waiting.computeIfAbsent(scope, key -> new ArrayList<>(1)).add(task);
        return true;
    }

    /** Sessions with at least one change at risk. */
    public synchronized long sessions() {
        return scopes.size();
    }

    /** Changes at risk: at least one for each acknowledged write that may be lost. */
    public synchronized long changes() {
        return changes;
    }

    /** Bytes of all changes at risk. */
    public synchronized long bytes() {
        return bytes;
    }

    /** The sessions at risk that are of a kind; takes time in proportion to those at risk. */
    public synchronized long sessions(LongPredicate kind) {
        return scopes.keySet().stream().filter(kind::test).count();
    }

    /** The bytes of those. */
    public synchronized long bytes(LongPredicate kind) {
        return scopes.entrySet().stream()
                .filter(session -> kind.test(session.getKey()))
                .mapToLong(session -> session.getValue().bytes)
                .sum();
    }
}
