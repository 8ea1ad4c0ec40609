package io.understudy.session.replicas;

import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.session.requests.RefetchedSessions;
import io.understudy.store.StoredReplica;
import org.jspecify.annotations.Nullable;

/**
 * The replica of one live session: the one of this node's store, or, while listeners run here for an end on another node,
 * the one that the session had before.
 *
 * <p>Threads: any.
 */
public final class LiveReplica {

    private final SessionReplicas replicas;
    private final RefetchedSessions refetched;
    private final SessionKey key;
    private volatile String lastId;

    /** The replica before the session ended on another node, while listeners run here for that end. */
    private volatile @Nullable StoredReplica last;

    /** @param stored as it is now */
    public LiveReplica(SessionReplicas replicas, RefetchedSessions refetched, StoredReplica stored) {
        this.replicas = replicas;
        this.refetched = refetched;
        this.key = stored.replica().key();
        this.lastId = String.valueOf(stored.replica().id());
    }

    public SessionKey key() {
        return key;
    }

    /**
     * With its attributes; {@code null} if they can't be read from disk, or nothing is known of the session any more. No use of
     * it: who found the session, or commits it, uses it.
     */
    public @Nullable SessionReplica whole() {
        StoredReplica before = last;
        StoredReplica stored = before == null ? replicas.whole(key) : before;
        return stored == null ? null : stored.replica();
    }

    /** A session that can't be read from disk, as another member sends it within 2 seconds; {@code null} if none does. */
    public @Nullable SessionReplica fetched() {
        return valid() && refetched.fetch(key) ? whole() : null;
    }

    /** All but the attributes, which may be on disk. */
    public @Nullable SessionReplica header() {
        StoredReplica stored = stored();
        return stored == null ? null : stored.replica();
    }

    /** The same, with when the session was used. */
    public @Nullable StoredReplica stored() {
        StoredReplica before = last;
        return before == null ? replicas.header(key) : before;
    }

    /**
     * An idle time that is set, stamped later than the one that its request may have seen.
     *
     * @param known the session as it was when the commit began
     */
    public Stamped<Integer> idleTime(int seconds, SessionReplica known, HybridClock clock) {
        SessionReplica now = header(); // One may have come since.
        Stamp overwritten = (now == null ? known : now).maxInactiveStamp();
        return new Stamped<>(clock.next(overwritten == null ? 0 : overwritten.time()), seconds);
    }

    /** Sets the replica that the session had before its end, and stands on it. {@code null} takes it away again. */
    public void last(@Nullable StoredReplica replica) {
        last = replica;
    }

    /** Whether it stands on the replica that the session had before its end. */
    public boolean endedElsewhere() {
        return last != null;
    }

    /** The current session id. If the session is over, its last id. */
    public String id() {
        SessionReplica replica = header();
        String id = replica == null ? null : replica.id();
        if (id != null) {
            lastId = id;
        }
        return lastId;
    }

    /** Whether the session is neither invalidated nor expired, on any node as far as known here. */
    public boolean valid() {
        SessionReplica replica = header();
        return replica != null && replica.live();
    }
}
