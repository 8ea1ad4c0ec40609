package io.understudy.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    @GuardedBy("this")
    private final Map<Long, Integer> changes = new HashMap<>();

    @GuardedBy("this")
    private final Map<Long, List<Runnable>> waiting = new HashMap<>();

    @GuardedBy("this")
    private long bytes;

    /**
     * A change of a session is at risk from now on.
     *
     * @param scope the session's key
     * @param bytes of the change; the same is given to {@link #remove}
     */
    synchronized void add(long scope, int bytes) {
        changes.merge(scope, 1, Integer::sum);
        this.bytes += bytes;
    }

    /**
     * A change that was added is at risk no longer.
     *
     * @throws IllegalStateException if the session has no change at risk: it was removed twice, or never added
     */
    void remove(long scope, int bytes) {
        removed(scope, bytes).forEach(Runnable::run);
    }

    /** @return what waited for it */
    private synchronized List<Runnable> removed(long scope, int bytes) {
        Integer count = changes.get(scope);
        if (count == null) {
            throw new IllegalStateException("expected a change of session " + Long.toHexString(scope)
                    + " at risk, found none; each change that is added has to be removed once");
        }
        if (count == 1) {
            changes.remove(scope);
        } else {
            changes.put(scope, count - 1);
        }
        this.bytes -= bytes;
        List<Runnable> released = count == 1 ? waiting.remove(scope) : null;
        return released == null ? List.of() : released;
    }

    /**
     * Has a task run as soon as the session has no change at risk.
     *
     * @param task runs in the call that removes the last change, perhaps with its caller's locks: has to hand on
     * @return whether it will run; {@code false} if nothing of the session is at risk now
     */
    synchronized boolean afterwards(long scope, Runnable task) {
        if (!changes.containsKey(scope)) {
            return false;
        }
        waiting.computeIfAbsent(scope, key -> new ArrayList<>(1)).add(task);
        return true;
    }

    /** Sessions with at least one change at risk. */
    synchronized long sessions() {
        return changes.size();
    }

    /** Bytes of all changes at risk. */
    synchronized long bytes() {
        return bytes;
    }
}
