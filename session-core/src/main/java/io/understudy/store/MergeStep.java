package io.understudy.store;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionReplica;
import org.jspecify.annotations.Nullable;

/**
 * The merge of one delta into its entry.
 *
 * <p>Threads: one; inside the computation of the entry.
 */
final class MergeStep extends Replicas.EntryChange {

    private final ReplicaStore store;
    private final SessionDelta delta;
    private final long now;
    private final long ageMillis;
    private final long idleMillis;
    private final long endedMillis;
    private final boolean kept;
    private @Nullable Merged merged;

    /**
     * @param now by the monotonic clock
     * @param kept whether the merge stays on this node
     */
    MergeStep(
            ReplicaStore store,
            Replicas replicas,
            SessionDelta delta,
            long now,
            long ageMillis,
            long idleMillis,
            long endedMillis,
            boolean kept) {
        super(delta.key(), replicas);
        this.store = store;
        this.delta = delta;
        this.now = now;
        this.ageMillis = ageMillis;
        this.idleMillis = idleMillis;
        this.endedMillis = endedMillis;
        this.kept = kept;
    }

    /** {@code null} if the attributes are on disk, and are needed. */
    @Nullable
    Merged merged() {
        return merged;
    }

    @Override
    StoredReplica made(@Nullable StoredReplica before) {
        if (before != null && before.spilled() && needsAttributes()) {
            return before;
        }
        boolean refused = delta.complete()
                && !delta.ended()
                && (before == null || before.replica().parked())
                && store.tombstones().forgotten(now - ageMillis);
        SessionDelta taken = refused ? SessionDelta.invalidated(delta.key()) : delta;
        StoredReplica after = merge(before, taken, refused ? 0 : idleMillis, refused ? 0 : endedMillis)
                .unshared(kept && (before == null || before.unshared()));
        int conflicts = before == null ? 0 : before.replica().conflicts(taken);
        store.memory().endedByFloor(before == null ? 0 : before.replica().endedByFloor(taken));
        boolean yielded = delta.ended() && after.replica().live();
        merged = new Merged(before, after, conflicts, refused, yielded, store.reindex(before, after));
        return after;
    }

    /**
     * Whether a replica whose attributes are on disk has to be whole for the delta: it writes some, hands all over, or
     * ends a session while a listener wants to know that.
     */
    private boolean needsAttributes() {
        return !delta.attributes().isEmpty()
                || (delta.ended() && store.tellsEnds())
                || (delta.ending() != null && delta.ending().into() != null);
    }

    @SuppressWarnings("ReferenceEquality") // A merge that changes nothing gives the same replica.
    private StoredReplica merge(@Nullable StoredReplica before, SessionDelta taken, long idle, long ended) {
        if (before == null) {
            return new StoredReplica(SessionReplica.of(taken), now - ageMillis, now - idle, now - ended);
        }
        SessionReplica replica = before.replica().merge(taken);
        if (replica == before.replica()) {
            return before;
        }
        boolean used = replica.usedSince(before.replica());
        boolean firstWhole = taken.complete() && before.replica().parked();
        boolean ends = replica.ended() && !before.replica().ended();
        return new StoredReplica(
                replica,
                firstWhole ? now - ageMillis : before.createdAt(),
                used ? now - idle : before.usedAt(),
                ends ? now - ended : before.endedAt(),
                replica.detached() ? before.spot() : null,
                before.unshared());
    }
}
