package io.understudy.store;

import io.understudy.replica.SessionReplica;
import org.jspecify.annotations.Nullable;

/**
 * A replica with the times that hold on this node only. All times are monotonic milliseconds of this process.
 *
 * <p>Threads: any; immutable. Two of them are equal only if they are one object: code that replaces an entry compares
 * with the object that it has read.
 */
public final class StoredReplica {

    private final SessionReplica replica;
    private final long createdAt;
    private final long usedAt;
    private final long endedAt;
    private final @Nullable SpillLocation spot;
    private final boolean unshared;
    private final boolean hollow;

    StoredReplica(SessionReplica replica, long createdAt, long usedAt, long endedAt) {
        this(replica, createdAt, usedAt, endedAt, null, false, false);
    }

    /**
     * @param spot where on disk the attributes are of a replica that is detached
     * @param unshared whether no other member was told of it
     */
    StoredReplica(
            SessionReplica replica,
            long createdAt,
            long usedAt,
            long endedAt,
            @Nullable SpillLocation spot,
            boolean unshared) {
        this(replica, createdAt, usedAt, endedAt, spot, unshared, false);
    }

    private StoredReplica(
            SessionReplica replica,
            long createdAt,
            long usedAt,
            long endedAt,
            @Nullable SpillLocation spot,
            boolean unshared,
            boolean emptied) {
        this.replica = replica;
        this.createdAt = createdAt;
        this.usedAt = usedAt;
        this.endedAt = endedAt;
        this.spot = spot;
        this.unshared = unshared;
        this.hollow = emptied || replica.invalidated(); // Of an invalidated one nothing is left from the beginning.
    }

    /** The session's state; without its attributes if they are on disk, see {@link #spilled}. */
    public SessionReplica replica() {
        return replica;
    }

    /** When the session began. */
    public long createdAt() {
        return createdAt;
    }

    /** When a request, on any node, last used it. */
    public long usedAt() {
        return usedAt;
    }

    /** When this node learned that it is over; before that, when it learned of it. */
    public long endedAt() {
        return endedAt;
    }

    /** Whether the attributes are on disk: {@link ReplicaStore#whole} reads them. */
    public boolean spilled() {
        return spot != null;
    }

    /** Whether it began here, and no other member knows it. */
    public boolean unshared() {
        return unshared;
    }

    /** Whether it is a tombstone that is known to hold nothing of its session. */
    boolean hollow() {
        return hollow;
    }

    @Nullable
    SpillLocation spot() {
        return spot;
    }

    /** The same session with this state and, if it is detached, its attributes there. */
    StoredReplica with(SessionReplica state, @Nullable SpillLocation there) {
        return new StoredReplica(state, createdAt, usedAt, endedAt, there, unshared);
    }

    /** The same when others are told of it, or are not. */
    StoredReplica unshared(boolean now) {
        return now == unshared ? this : new StoredReplica(replica, createdAt, usedAt, endedAt, spot, now, hollow);
    }

    /** The same tombstone without what its session held. */
    StoredReplica hollowed() {
        return new StoredReplica(replica.hollow(), createdAt, usedAt, endedAt, null, unshared, true);
    }

    /** When it changed last, as far as these times tell. */
    long changedAt() {
        return Math.max(usedAt, replica.ended() ? endedAt : createdAt);
    }
}
