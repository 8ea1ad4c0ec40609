package io.understudy.store;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One application's replicas on this node, as bytes, by key and by session id.
 *
 * <p>Threads: any. A merge is atomic per session; values are immutable and replaced.
 */
public final class ReplicaStore {

    /**
     * How long, in milliseconds, an expired session keeps its attributes, so that a late use can bring it back whole.
     */
    static final long HOLLOW_AFTER_MILLIS = 60_000;

    /** How long, in milliseconds, updates are kept of a session that nobody could send whole. */
    static final long PARKED_MILLIS = 10L * 60 * 1000;

    /** Sessions that go on as each other, one after the other; more are not followed. */
    private static final int MAX_UNITED = 8;

    private final Retention retention;
    private final Replicas replicas;
    private final Memory memory;
    private final SessionWatches watches = new SessionWatches();
    private final IdIndex ids = new IdIndex();
    private final UnknownIds unknownIds;
    private final AtomicLong live = new AtomicLong();
    private final TimeSource time;
    private final Tombstones tombstones;
    private final List<Consumer<StoredReplica>> onEnd = new CopyOnWriteArrayList<>();

    /** Without a bound of its memory. */
    public ReplicaStore(TimeSource time, Tombstones tombstones) {
        this(time, tombstones, Memory.unbounded());
    }

    /** @param memory of the node's applications together */
    public ReplicaStore(TimeSource time, Tombstones tombstones, Memory memory) {
        this.memory = memory;
        this.retention = new Retention(tombstones);
        this.replicas = new Replicas(memory, retention);
        this.time = time;
        this.tombstones = tombstones;
        this.unknownIds = new UnknownIds(time);
    }

    /** The rule by which tombstones stay. */
    public Tombstones tombstones() {
        return tombstones;
    }

    /** Ids that no member has a session of: those of the sessions that ended in this store, and what its user adds. */
    public UnknownIds unknownIds() {
        return unknownIds;
    }

    /** What is compared with other members. */
    public Comparison comparison() {
        return new Comparison(replicas);
    }

    /**
     * A session begins here that no other member knows for now. It is {@linkplain StoredReplica#unshared unshared}
     * until a change of it goes out or comes in, or it is {@linkplain #share shared}.
     */
    public StoredReplica create(SessionDelta whole) {
        return merge(whole, 0, 0, 0, true).after();
    }

    /** Merges what a request here did, without sending it to other members: an unshared session stays unshared. */
    public Merged keep(SessionDelta delta) {
        return merge(delta, 0, 0, 0, true);
    }

    /** The session is announced to the other members from now on. */
    public void share(SessionKey key) {
        replicas.compute(key, stored -> stored == null ? null : stored.unshared(false));
    }

    /**
     * Removes an unshared session.
     *
     * @return {@code false} if another member knows it
     */
    public boolean forget(SessionKey key) {
        boolean[] forgotten = new boolean[1];
        replicas.compute(key, stored -> {
            forgotten[0] = stored != null && stored.unshared();
            if (stored == null || !forgotten[0]) {
                return stored;
            }
            unknownIds.over(stored.replica().ids());
            return dropped(stored);
        });
        return forgotten[0];
    }

    /** Takes an entry out of the index: part of its removal. */
    private @Nullable StoredReplica dropped(StoredReplica stored) {
        ids.change(stored.replica().key(), stored.replica().ids(), List.of());
        live.addAndGet(stored.replica().ids().isEmpty() ? 0 : -1);
        return null;
    }

    /** The number of unshared sessions. */
    public long unsharedCount() {
        return replicas.unsharedCount();
    }

    /**
     * Merges a delta of a request here, or of another member. An unknown session becomes a parked replica unless the
     * delta is complete. A complete one that must have ended here, see {@link Tombstones}, becomes its tombstone anew.
     *
     * @param ageMillis how long ago the session began, as far as the sender knows
     * @param idleMillis how long ago the delta's last use was; of a session that is over, how long ago it ended
     */
    public Merged merge(SessionDelta delta, long ageMillis, long idleMillis) {
        return merge(delta, ageMillis, idleMillis, delta.ended() ? idleMillis : 0, false);
    }

    /** @param kept whether no other member is told of it */
    private Merged merge(SessionDelta delta, long ageMillis, long idleMillis, long endedMillis, boolean kept) {
        Merged merged = mergeOnce(delta, ageMillis, idleMillis, endedMillis, kept);
        while (merged == null) {
            recall(delta.key());
            merged = mergeOnce(delta, ageMillis, idleMillis, endedMillis, kept);
        }
        StoredReplica before = merged.before();
        SessionKey into = merged.after().replica().into();
        if (into != null) {
            goOn(before, delta, into, ageMillis, idleMillis);
        } else if (before != null && merged.endedNow()) {
            onEnd.forEach(listener -> listener.accept(before));
        }
        watches.merged(merged.before(), merged.after());
        memory.relieve();
        return merged;
    }

    /** Is woken when something of the session with this id is merged, or of one that had it; to be closed. */
    public SessionWatch watch(String id) {
        return watches.open(id);
    }

    /** Calls the listener for each session whose attributes went to disk: on any thread, which must not wait. */
    public void onSpill(Consumer<SessionKey> listener) {
        replicas.onSpill(listener);
    }

    public void notOnSpill(Consumer<SessionKey> listener) {
        replicas.notOnSpill(listener);
    }

    /**
     * Adds a listener for ends of sessions. It gets the session as it was before, with its attributes, on any thread.
     * It must neither wait nor fail.
     */
    public void onEnd(Consumer<StoredReplica> listener) {
        onEnd.add(listener);
    }

    public void notOnEnd(Consumer<StoredReplica> listener) {
        onEnd.remove(listener);
    }

    /** Whether a listener wants to know of ends. */
    boolean tellsEnds() {
        return !onEnd.isEmpty();
    }

    /**
     * A session whose attributes can't be read is given up: it is parked, then, and pulled from a member that has it.
     */
    private void recall(SessionKey key) {
        StoredReplica stored = replicas.quietly(key);
        if (stored != null && stored.spilled() && replicas.whole(stored, true) == null) {
            replicas.compute(key, now -> {
                return now == stored ? dropped(stored) : now;
            });
        }
    }

    /** {@code null} if the attributes are on disk, and are needed. */
    private @Nullable Merged mergeOnce(
            SessionDelta delta, long ageMillis, long idleMillis, long endedMillis, boolean kept) {
        MergeStep step =
                new MergeStep(this, replicas, delta, time.monotonicMillis(), ageMillis, idleMillis, endedMillis, kept);
        replicas.compute(step);
        return step.merged();
    }

    Memory memory() {
        return memory;
    }

    /**
     * A session goes on as another one: that takes what was written to it, before its tombstone came here or after,
     * or ends if that is a change of the id. Every member does the same with what reaches it, so nothing of it need
     * be sent.
     */
    private void goOn(
            @Nullable StoredReplica before, SessionDelta delta, SessionKey into, long ageMillis, long idleMillis) {
        SessionKey last = last(into);
        if (last == null) {
            return;
        }
        SessionDelta written = delta.writtenTo(last);
        long idle = idleMillis;
        if (before != null && !before.replica().ended()) {
            SessionDelta held = before.replica().asDelta().writtenTo(last);
            written = SessionDelta.join(held, written);
            if (Objects.equals(written.lastUse(), held.lastUse())) {
                idle = time.monotonicMillis() - before.usedAt();
            }
        }
        if (written.lastUse() != null || !written.attributes().isEmpty() || written.ended()) {
            merge(written, ageMillis, idle, 0, false);
        }
    }

    /** The last of sessions that go on as each other; {@code null} if there is none: the network may say anything. */
    private @Nullable SessionKey last(SessionKey first) {
        SessionKey last = first;
        for (int i = 0; i < MAX_UNITED; i++) {
            StoredReplica stored = replicas.quietly(last);
            SessionKey next = stored == null ? null : stored.replica().into();
            if (next == null) {
                return last;
            }
            last = next;
        }
        return null;
    }

    /**
     * Merges what another member holds, parked updates too: somebody who has the session whole may lack them.
     *
     * @param idleMillis how long ago the session was used; of one that is over or parked, how long it is that
     */
    public Merged pulled(SessionDelta delta, long ageMillis, long idleMillis) {
        return merge(delta, ageMillis, idleMillis, idleMillis, false);
    }

    /**
     * Merges a use that changed nothing; of a session not known here it is parked, as it may be later than an expiry.
     */
    public Merged use(SessionKey key, Stamp lastUse, long idleMillis) {
        return merge(SessionDelta.touched(key, lastUse), 0, idleMillis);
    }

    /** Keeps the id index true; runs inside the computation of the session's entry, hence in order per session. */
    List<String> reindex(@Nullable StoredReplica before, StoredReplica after) {
        if (before != null && before.replica().answersAs(after.replica())) {
            return List.of();
        }
        List<String> old = before == null ? List.of() : before.replica().ids();
        List<String> now = after.replica().ids();
        if (after.replica().ended()) {
            unknownIds.over(
                    old); // First: who finds no session of an id must find that it is over, or would ask others.
        }
        List<String> shared = ids.change(after.replica().key(), old, now);
        if (old.isEmpty() != now.isEmpty()) {
            live.addAndGet(old.isEmpty() ? 1 : -1);
        }
        return shared;
    }

    /**
     * What is stored under this key: live, parked or a tombstone. Read back from disk if need be, to stay: a use of
     * it.
     */
    public @Nullable StoredReplica get(SessionKey key) {
        return replicas.whole(replicas.get(key), true);
    }

    /** The same, {@linkplain StoredReplica#spilled without the attributes} if they are on disk; no use of it. */
    public @Nullable StoredReplica header(SessionKey key) {
        return replicas.quietly(key);
    }

    /** The same with the attributes, which stay on disk if they are there; no use of it. */
    public @Nullable StoredReplica whole(SessionKey key) {
        return replicas.whole(replicas.quietly(key), false);
    }

    /** Whether all of a change is merged here; {@code false} also if that can't be read from disk. */
    @SuppressWarnings("ReferenceEquality") // A merge that says nothing new gives the same replica.
    public boolean holds(SessionDelta delta) {
        StoredReplica stored = delta.attributes().isEmpty() ? header(delta.key()) : whole(delta.key());
        return stored != null && stored.replica().merge(delta) == stored.replica();
    }

    /**
     * The live session that answers to this id; of several the one that was created first. Read back from disk if
     * need be, to stay: a use of it.
     */
    public @Nullable StoredReplica find(String id) {
        return replicas.whole(ids.holder(id, replicas.gets), true);
    }

    /** The same, {@linkplain StoredReplica#spilled without the attributes} if they are on disk; no use of it. */
    public @Nullable StoredReplica header(String id) {
        return ids.holder(id, replicas.looks);
    }

    /**
     * What makes one session of those that answer to this id: the one created first takes over what the others hold, by
     * their own stamps, and the others end. Every member that knows them makes the same deltas of them.
     */
    public List<SessionDelta> united(String id) {
        List<StoredReplica> holders = ids.holders(id, this::get);
        List<SessionDelta> deltas = new ArrayList<>();
        for (StoredReplica other : holders.subList(Math.min(1, holders.size()), holders.size())) {
            SessionDelta held = other.replica().asDelta();
            deltas.add(held.writtenTo(holders.get(0).replica().key()));
            deltas.add(SessionDelta.united(held.key(), holders.get(0).replica().key()));
        }
        return deltas;
    }

    /** The ids of the live sessions; a snapshot. */
    public Collection<String> ids() {
        return ids.ids();
    }

    /**
     * All entries, tombstones too, {@linkplain StoredReplica#spilled without the attributes} if they are on disk;
     * weakly consistent. No use of them.
     */
    public Stream<StoredReplica> stream() {
        return replicas.stream();
    }

    /**
     * The first {@code limit} entries that other members know, tombstones too, in ascending order of keys; as they
     * are, no use of them. It costs what it finds.
     *
     * @param after they have greater keys than this
     */
    public List<StoredReplica> shared(@Nullable SessionKey after, int limit) {
        List<StoredReplica> found = new ArrayList<>();
        int bucket = after == null ? 0 : SessionDigest.bucket(after);
        for (; bucket < SessionDigest.BUCKETS && found.size() < limit; bucket++) {
            found.addAll(replicas.compared(bucket, after, limit - found.size()));
        }
        return found;
    }

    /**
     * The same with their attributes, each read when its turn comes; what is on disk stays there. One that can't be
     * read is left out and counted.
     */
    public Stream<StoredReplica> streamWhole() {
        return stream().<StoredReplica>mapMulti((stored, next) -> {
            StoredReplica whole = replicas.whole(stored, false);
            if (whole != null) {
                next.accept(whole);
            }
        });
    }

    public int liveCount() {
        return live.intValue();
    }

    /** Bytes of all attribute values held, in memory and on disk. */
    public long attributeBytes() {
        return replicas.valueBytes();
    }

    /** Lets go of all, on disk too. */
    public void close() {
        replicas.close();
    }

    /**
     * Takes away what no late message can need any more: attributes of expired sessions, old tombstones and parked
     * updates. It costs what is due, and not what is held.
     *
     * @return how many entries it looked at
     */
    public int sweep() {
        int looked = retention.sweep(replicas, time.monotonicMillis());
        memory.tidy();
        return looked;
    }
}
