package io.understudy;

import io.understudy.replica.SessionKey;
import java.util.concurrent.ConcurrentMap;

/**
 * A session in use on this node: what a container's session object stands on.
 *
 * <p>It notes which attributes a request set, removed or read. {@link #commit} encodes those, finds what really changed
 * (also by mutation in place), and sends that once. What other nodes change appears here attribute by attribute at the
 * next read, but never replaces an attribute that a running request has read or set.
 *
 * <p>Threads: any. Commits of one session are serial; the lock is not held while waiting.
 */
public final class LiveSession {

    LiveSession() {}

    public SessionKey key() {
        throw new AssertionError();
    }

    /** The current session id: a rename on another node shows here. */
    public String id() {
        throw new AssertionError();
    }

    /** Whether the session is neither invalidated nor expired, on any node as far as known here. */
    public boolean valid() {
        throw new AssertionError();
    }

    /** Whether no commit was made yet, here or elsewhere. */
    public boolean isNew() {
        throw new AssertionError();
    }

    /** Creation time in milliseconds since the epoch of this machine's clock. */
    public long creationMillis() {
        throw new AssertionError();
    }

    /** When a request, on any node, last used the session; milliseconds since the epoch of this machine's clock. */
    public long lastUseMillis() {
        throw new AssertionError();
    }

    /** How long nobody used it, by the monotonic clock, in milliseconds. */
    public long idleMillis() {
        throw new AssertionError();
    }

    /** Idle time in seconds after which the session expires; 0 or less is never. */
    public int maxInactiveSeconds() {
        throw new AssertionError();
    }

    /** Travels with the next commit. */
    public void maxInactiveSeconds(int seconds) {
        throw new AssertionError(seconds);
    }

    /**
     * Whether a request that finds the session now must treat it as expired. On the owner that is its idle time; on
     * other nodes two touch intervals more, as a touch may be under way.
     */
    public boolean overdue() {
        throw new AssertionError();
    }

    /**
     * The attributes: a view that decodes a value when it is first read, notes reads and writes, and refuses null. {@code
     * put} and {@code remove} return the previous value. An attribute that can't be decoded here reads as absent; it is
     * kept and passed on.
     */
    public ConcurrentMap<String, Object> attributes() {
        throw new AssertionError();
    }

    /** A request begins to use the session: its use counts, and what it reads from now on is not replaced under it. */
    public void enter() {}

    /** The request that {@link #enter}ed ends, after its last commit. */
    public void exit() {}

    /**
     * Sends what changed since the last commit, in coherent mode to be awaited. Never throws for an attribute that can't
     * be encoded: that one stays on this node, named in a warning. A request that changed nothing sends nothing but, with
     * others and within {@code touchInterval}, its time.
     */
    public Commit commit() {
        throw new AssertionError();
    }

    /** Changes the session id. The old id is refused on every node that merged the change. Awaited in any mode. */
    public Commit rename(String newId) {
        throw new AssertionError(newId);
    }

    /** Ends the session everywhere, for good. */
    public Commit invalidate() {
        throw new AssertionError();
    }

    /** Ends the session everywhere, unless somewhere it was used later than this node knows. */
    public Commit expire() {
        throw new AssertionError();
    }
}
