package io.understudy.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.TimeSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One application's replicas on this node, as bytes, by key and by session id.
 *
 * <p>Threads: any. A merge is atomic per session; values are immutable and replaced.
 */
public final class ReplicaStore {

    /** How long, in milliseconds, an expired session keeps its attributes, so that a late use can bring it back whole. */
    static final long HOLLOW_AFTER_MILLIS = 60_000;

    /** How long, in milliseconds, a tombstone is kept (24 hours). */
    static final long TOMBSTONE_HORIZON_MILLIS = 24L * 60 * 60 * 1000;

    /** How long, in milliseconds, updates are kept of a session that nobody could send whole. */
    static final long PARKED_MILLIS = 10L * 60 * 1000;

    private final Cache<SessionKey, StoredReplica> cache = Caffeine.newBuilder().build();
    private final ConcurrentMap<SessionKey, StoredReplica> replicas = cache.asMap();
    private final ConcurrentMap<String, SessionKey> ids = new ConcurrentHashMap<>();
    private final TimeSource time;

    public ReplicaStore(TimeSource time) {
        this.time = time;
    }

    /**
     * Merges what a request here, or a member, says of a session. An unknown session becomes a parked replica unless the
     * delta is complete.
     *
     * @param ageMillis how long ago the session began, as far as the sender knows
     * @param idleMillis how long ago the delta's last use was
     */
    public Merged merge(SessionDelta delta, long ageMillis, long idleMillis) {
        long now = time.monotonicMillis();
        Merged[] merged = new Merged[1];
        replicas.compute(delta.key(), (key, before) -> {
            StoredReplica after = before == null
                    ? new StoredReplica(SessionReplica.of(delta), now - ageMillis, now - idleMillis, now)
                    : merge(before, delta, now, ageMillis, idleMillis);
            reindex(before, after);
            merged[0] = new Merged(before, after);
            return after;
        });
        return merged[0];
    }

    private static StoredReplica merge(
            StoredReplica before, SessionDelta delta, long now, long ageMillis, long idleMillis) {
        SessionReplica replica = before.replica().merge(delta);
        if (replica.equals(before.replica())) {
            return before;
        }
        boolean used = replica.lastUse() != null
                && !replica.lastUse().equals(before.replica().lastUse());
        boolean firstWhole = delta.complete() && before.replica().parked();
        boolean ends = replica.ended() && !before.replica().ended();
        return new StoredReplica(
                replica,
                firstWhole ? now - ageMillis : before.createdAt(),
                used ? now - idleMillis : before.usedAt(),
                ends ? now : before.endedAt());
    }

    /** Keeps the id index true; runs inside the computation of the session's entry, hence in order per session. */
    private void reindex(@Nullable StoredReplica before, StoredReplica after) {
        String oldId = before == null || !before.replica().live()
                ? null
                : before.replica().id();
        String newId = after.replica().live() ? after.replica().id() : null;
        if (oldId != null && !oldId.equals(newId)) {
            ids.remove(oldId, after.replica().key());
        }
        if (newId != null && !newId.equals(oldId)) {
            ids.put(newId, after.replica().key());
        }
    }

    /** What is stored under this key: live, parked or a tombstone. */
    public @Nullable StoredReplica get(SessionKey key) {
        return replicas.get(key);
    }

    /** The live session with this id. */
    public @Nullable StoredReplica find(String id) {
        SessionKey key = ids.get(id);
        StoredReplica stored = key == null ? null : replicas.get(key);
        return stored != null && stored.replica().live() ? stored : null;
    }

    /** The ids of the live sessions; a snapshot. */
    public Collection<String> ids() {
        return List.copyOf(ids.keySet());
    }

    /** All entries, tombstones too; weakly consistent. */
    public Stream<StoredReplica> stream() {
        return replicas.values().stream();
    }

    public int liveCount() {
        return ids.size();
    }

    /** Bytes of all attribute values held. */
    public long attributeBytes() {
        return stream()
                .flatMap(stored -> stored.replica().attributes().values().stream())
                .mapToLong(value -> value.bytes() == null ? 0 : value.bytes().length)
                .sum();
    }

    /** Takes away what no late message can need any more: attributes of expired sessions, old tombstones and parked updates. */
    public void sweep() {
        long now = time.monotonicMillis();
        for (StoredReplica stored : replicas.values()) {
            if (stored.replica().live()) {
                continue;
            }
            long over = now - stored.endedAt();
            long keep = stored.replica().parked() ? PARKED_MILLIS : TOMBSTONE_HORIZON_MILLIS;
            if (over > keep) {
                replicas.remove(stored.replica().key(), stored);
            } else if (stored.replica().ended() && over > HOLLOW_AFTER_MILLIS) {
                hollow(stored);
            }
        }
    }

    private void hollow(StoredReplica stored) {
        SessionReplica hollow = stored.replica().hollow();
        if (!hollow.equals(stored.replica())) {
            replicas.replace(
                    hollow.key(),
                    stored,
                    new StoredReplica(hollow, stored.createdAt(), stored.usedAt(), stored.endedAt()));
        }
    }
}
