package io.understudy;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One application's sessions on one node: what a container's session manager talks to.
 *
 * <p>Threads: any. Only {@link #arrive} waits for the network; the rest answers from this node's replicas.
 */
public final class ReplicatedSessions implements AutoCloseable {

    ReplicatedSessions() {}

    /** The application's name. */
    public String application() {
        throw new AssertionError();
    }

    /**
     * To be asked with the id a request bears, before the container's own lookup, outside every lock and map
     * computation. A node that holds all sessions answers at once; one that is still joining fetches the session, 2
     * seconds at most.
     */
    public Arrival arrive(String id) {
        throw new AssertionError(id);
    }

    /**
     * A new session. The others learn of it by its first {@link LiveSession#commit}.
     *
     * @param id what the cookie will hold, without any route suffix
     * @param maxInactiveSeconds idle time after which it expires; 0 or less is never
     */
    public LiveSession create(String id, int maxInactiveSeconds) {
        throw new AssertionError(id + maxInactiveSeconds);
    }

    /**
     * The session with this id, or {@code null} if there is none or it is over. The same object for as long as somebody
     * holds it. Attributes stay encoded until they are read.
     */
    public @Nullable LiveSession find(String id) {
        throw new AssertionError(id);
    }

    /** Whether {@link #find} would find it. */
    public boolean contains(String id) {
        throw new AssertionError(id);
    }

    /** The ids of all sessions this node holds, its own and its peers'. A snapshot. */
    public Collection<String> ids() {
        throw new AssertionError();
    }

    /**
     * The sessions this node has to expire now: idle for too long, and last used here, or last used on a member that is
     * gone and inherited by this one. Call {@link LiveSession#expire} on each, after the listeners ran.
     */
    public List<LiveSession> expirable() {
        throw new AssertionError();
    }

    /** Leaves the application: this node no longer acknowledges its sessions. Its replicas here are dropped. */
    @Override
    public void close() {}
}
