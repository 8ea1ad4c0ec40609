package io.understudy.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
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

    /** How long, in milliseconds, updates are kept of a session that nobody could send whole. */
    static final long PARKED_MILLIS = 10L * 60 * 1000;

    private final Cache<SessionKey, StoredReplica> cache = Caffeine.newBuilder().build();
    private final ConcurrentMap<SessionKey, StoredReplica> replicas = cache.asMap();
    private final IdIndex ids = new IdIndex();
    private final LongAdder live = new LongAdder();
    private final TimeSource time;
    private final Tombstones tombstones;

    public ReplicaStore(TimeSource time, Tombstones tombstones) {
        this.time = time;
        this.tombstones = tombstones;
    }

    /** The rule by which tombstones stay. */
    public Tombstones tombstones() {
        return tombstones;
    }

    /** What is compared with other members. */
    public Comparison comparison() {
        return new Comparison(this);
    }

    /**
     * Merges what a request here, or a member, says of a session. An unknown session becomes a parked replica unless the
     * delta is complete. A complete one that must have ended here, see {@link Tombstones}, becomes its tombstone anew.
     *
     * @param ageMillis how long ago the session began, as far as the sender knows
     * @param idleMillis how long ago the delta's last use was; of a session that is over, how long ago it ended
     */
    public Merged merge(SessionDelta delta, long ageMillis, long idleMillis) {
        return merge(delta, ageMillis, idleMillis, delta.ended() ? idleMillis : 0);
    }

    private Merged merge(SessionDelta delta, long ageMillis, long idleMillis, long endedMillis) {
        long now = time.monotonicMillis();
        Merged[] merged = new Merged[1];
        replicas.compute(delta.key(), (key, before) -> {
            boolean refused = delta.complete()
                    && !delta.ended()
                    && (before == null || before.replica().parked())
                    && tombstones.forgotten(now - ageMillis);
            SessionDelta taken = refused ? SessionDelta.invalidated(key) : delta;
            StoredReplica after =
                    merge(before, taken, now, ageMillis, refused ? 0 : idleMillis, refused ? 0 : endedMillis);
            int conflicts = before == null ? 0 : before.replica().conflicts(taken);
            boolean yielded = delta.ended() && after.replica().live();
            merged[0] = new Merged(before, after, conflicts, refused, yielded, reindex(before, after));
            return after;
        });
        return merged[0];
    }

    private static StoredReplica merge(
            @Nullable StoredReplica before,
            SessionDelta delta,
            long now,
            long ageMillis,
            long idleMillis,
            long endedMillis) {
        if (before == null) {
            return new StoredReplica(SessionReplica.of(delta), now - ageMillis, now - idleMillis, now - endedMillis);
        }
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
                ends ? now - endedMillis : before.endedAt());
    }

    /**
     * Merges what another member holds, parked updates too: somebody who has the session whole may lack them.
     *
     * @param idleMillis how long ago the session was used; of one that is over or parked, how long it is that
     */
    public Merged pulled(SessionDelta delta, long ageMillis, long idleMillis) {
        return merge(delta, ageMillis, idleMillis, idleMillis);
    }

    /** Merges a use that changed nothing; of a session not known here it is parked, as it may be later than an expiry. */
    public Merged use(SessionKey key, Stamp lastUse, long idleMillis) {
        return merge(SessionDelta.touched(key, lastUse), 0, idleMillis);
    }

    /** Keeps the id index true; runs inside the computation of the session's entry, hence in order per session. */
    private List<String> reindex(@Nullable StoredReplica before, StoredReplica after) {
        List<String> old = before == null ? List.of() : before.replica().ids();
        List<String> now = after.replica().ids();
        if (old.isEmpty() != now.isEmpty()) {
            live.add(old.isEmpty() ? 1 : -1);
        }
        return ids.change(after.replica().key(), old, now);
    }

    /** What is stored under this key: live, parked or a tombstone. */
    public @Nullable StoredReplica get(SessionKey key) {
        return replicas.get(key);
    }

    /** The live session that answers to this id; of several the one that was created first. */
    public @Nullable StoredReplica find(String id) {
        List<StoredReplica> holders = ids.holders(id, replicas::get);
        return holders.isEmpty() ? null : holders.get(0);
    }

    /**
     * What makes one session of those that answer to this id: the one created first takes over what the others hold, by
     * their own stamps, and the others end. Every member that knows them makes the same deltas of them.
     */
    public List<SessionDelta> united(String id) {
        List<StoredReplica> holders = ids.holders(id, replicas::get);
        List<SessionDelta> deltas = new ArrayList<>();
        for (StoredReplica other : holders.subList(Math.min(1, holders.size()), holders.size())) {
            SessionDelta held = other.replica().asDelta();
            deltas.add(new SessionDelta(
                    holders.get(0).replica().key(), false, null, null, held.lastUse(), held.attributes(), null));
            deltas.add(SessionDelta.invalidated(held.key()));
        }
        return deltas;
    }

    /** The ids of the live sessions; a snapshot. */
    public Collection<String> ids() {
        return ids.ids();
    }

    /** All entries, tombstones too; weakly consistent. */
    public Stream<StoredReplica> stream() {
        return replicas.values().stream();
    }

    public int liveCount() {
        return live.intValue();
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
        List<StoredReplica> kept = new ArrayList<>();
        for (StoredReplica stored : replicas.values()) {
            if (stored.replica().parked()) {
                if (now - stored.endedAt() > PARKED_MILLIS) {
                    replicas.remove(stored.replica().key(), stored);
                }
            } else if (stored.replica().ended()) {
                if (tombstones.over(stored, now)) {
                    replicas.remove(stored.replica().key(), stored);
                } else {
                    kept.add(now - stored.endedAt() > HOLLOW_AFTER_MILLIS ? hollow(stored) : stored);
                }
            }
        }
        if (kept.size() > tombstones.bound()) {
            kept.sort(Comparator.comparingLong(StoredReplica::endedAt));
            for (StoredReplica stored : kept.subList(0, kept.size() - tombstones.bound())) {
                tombstones.forget(stored);
                replicas.remove(stored.replica().key(), stored);
            }
        }
    }

    private StoredReplica hollow(StoredReplica stored) {
        SessionReplica hollow = stored.replica().hollow();
        if (hollow.equals(stored.replica())) {
            return stored;
        }
        StoredReplica emptied = new StoredReplica(hollow, stored.createdAt(), stored.usedAt(), stored.endedAt());
        return replicas.replace(hollow.key(), stored, emptied) ? emptied : stored;
    }
}
