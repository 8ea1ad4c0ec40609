package io.understudy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.audit.What;
import io.understudy.cluster.Held;
import io.understudy.cluster.Outgoing;
import io.understudy.codec.AttributeCodec;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.Coherence;
import io.understudy.doctor.SessionDoctor;
import io.understudy.expiry.Claim;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.store.StoredReplica;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A session in use on this node: what a container's session object stands on.
 *
 * <p>It notes which attributes a request set, removed or read. {@link #commit} encodes those, finds what really changed
 * (also by mutation in place), and sends that once. What other nodes change appears here attribute by attribute at the
 * next read, but never replaces an attribute that a running request has read or set.
 *
 * <p>Threads: any. Commits of one session are serial; the lock is not held while sending or waiting.
 */
public final class LiveSession {

    private final ReplicatedSessions sessions;
    private final SessionKey key;
    private final long creationMillis;
    private final Map<String, AttributeSlot> slots = new ConcurrentHashMap<>();
    private final LiveAttributes attributes = new LiveAttributes(this, "", slots, this::ticketOfThread);
    private final LiveAttributes containers =
            new LiveAttributes(this, LiveAttributes.CONTAINER, slots, this::ticketOfThread);
    private final ActivationEvents activations = new ActivationEvents(this);
    private final AtomicLong tickets = new AtomicLong();
    private final Set<Long> running = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile String lastId;
    private volatile boolean published;
    private volatile @Nullable Integer newMaxInactive;
    private volatile Commit last = Commit.NOTHING;

    /** What a member that is gone wanted, which this one may know less of. */
    private volatile @Nullable Claim inherited;

    LiveSession(ReplicatedSessions sessions, StoredReplica stored, boolean published) {
        this.sessions = sessions;
        this.key = stored.replica().key();
        long age = published ? sessions.time().monotonicMillis() - stored.createdAt() : 0; // Two clocks, each rounded.
        this.creationMillis = sessions.time().wallMillis() - age;
        this.lastId = String.valueOf(stored.replica().id());
        this.published = published;
    }

    @Nullable
    SessionReplica replica() {
        StoredReplica stored = sessions.stored(key);
        return stored == null ? null : stored.replica();
    }

    /** All but the attributes, which may be on disk. */
    private @Nullable SessionReplica header() {
        StoredReplica stored = sessions.header(key);
        return stored == null ? null : stored.replica();
    }

    AttributeCodec codec() {
        return sessions.codec();
    }

    Quarantine quarantine() {
        return sessions.quarantine();
    }

    /** The settings of the session's application. */
    public ApplicationConfig settings() {
        return sessions.config().application();
    }

    public SessionKey key() {
        return key;
    }

    /** The current session id: a rename on another node shows here. Of a session that is over, its last id. */
    public String id() {
        SessionReplica replica = header();
        String id = replica == null ? null : replica.id();
        if (id != null) {
            lastId = id;
        }
        return lastId;
    }

    /**
     * What the client, which may have seen all that is here now, is to give back with its next request; {@code null} if nothing. To be asked when the response begins, after its commits.
     */
    public @Nullable VersionCookie version() {
        return sessions.versions().of(this);
    }

    /** Whether the session is neither invalidated nor expired, on any node as far as known here. */
    public boolean valid() {
        SessionReplica replica = header();
        return replica != null && replica.live();
    }

    /** Whether no commit was made yet, here or elsewhere. */
    public boolean isNew() {
        return !published;
    }

    /** Creation time in milliseconds since the epoch of this machine's clock. */
    public long creationMillis() {
        return creationMillis;
    }

    /** When a request, on any node, last used the session; milliseconds since the epoch of this machine's clock. */
    public long lastUseMillis() {
        StoredReplica stored = sessions.header(key);
        boolean once = stored != null && stored.usedAt() == stored.createdAt();
        return once ? creationMillis : sessions.time().wallMillis() - idleMillis(); // Two clocks, each rounded.
    }

    /** How long nobody used it, by the monotonic clock, in milliseconds. */
    public long idleMillis() {
        StoredReplica stored = sessions.header(key);
        return stored == null ? 0 : Math.max(0, sessions.time().monotonicMillis() - stored.usedAt());
    }

    /** Idle time in seconds after which the session expires; 0 or less is never. */
    public int maxInactiveSeconds() {
        Integer staged = newMaxInactive;
        SessionReplica replica = header();
        return staged != null ? staged : replica == null ? 0 : replica.maxInactiveSeconds();
    }

    /** Travels with the next commit. */
    public void maxInactiveSeconds(int seconds) {
        newMaxInactive = seconds;
    }

    /**
     * Whether a request that finds the session now must treat it as expired. On the owner that is its idle time; on
     * other nodes two touch intervals more, as a touch may be under way. Never while a request here uses it.
     */
    public boolean overdue() {
        SessionReplica replica = header();
        return replica != null && !inUse() && overdueBy(sessions.usedHere(replica) ? 0 : sessions.slackMillis());
    }

    boolean overdueBy(long slackMillis) {
        int seconds = maxInactiveSeconds();
        return seconds > 0 && idleMillis() > seconds * 1000L + slackMillis;
    }

    boolean inUse() {
        return !running.isEmpty();
    }

    /**
     * The attributes: a view that decodes a value when it is first read, notes reads and writes, and refuses null. {@code
     * put} and {@code remove} return the previous value. An attribute that can't be decoded here reads as absent, and once it
     * was read it is not among the names; it is kept and passed on, and a {@code put} or {@code remove} replaces it.
     */
    public ConcurrentMap<String, Object> attributes() {
        return attributes;
    }

    /**
     * The attributes as the request with this ticket sees them. Whoever can should use this, or {@linkplain
     * ReplicatedSessions#requestsBy tell} which request a thread works for: what an unknown thread uses counts as used by
     * all requests that run, and does not change before the last of them ends.
     */
    public ConcurrentMap<String, Object> attributes(long ticket) {
        return new LiveAttributes(this, "", slots, () -> ticket);
    }

    /**
     * What the container keeps with the session beside the attributes, such as who is logged in: a view like theirs, of values
     * that nobody changes in place. Applications do not see it.
     */
    public ConcurrentMap<String, Object> containerAttributes() {
        return containers;
    }

    /** How attributes of this session are told that they are encoded and decoded; whoever was given last tells them. */
    public void activation(Activation activation) {
        activations.toldBy(activation);
    }

    ActivationEvents activations() {
        return activations;
    }

    private long ticketOfThread() {
        return sessions.ticketOf(this);
    }

    /** Tickets of the requests that run. */
    Set<Long> running() {
        return running;
    }

    /** The request with this ticket, or all that run if it is 0. */
    Collection<Long> running(long ticket) {
        return ticket == 0 ? List.copyOf(running) : List.of(ticket);
    }

    /**
     * A request begins to use the session: its use counts, and what it reads from now on is not replaced under it.
     *
     * @return to be given to {@link #exit}
     */
    public long enter() {
        long ticket = tickets.incrementAndGet();
        running.add(ticket);
        sessions.requests().begin();
        return ticket;
    }

    /** The ticket that was given last. */
    long entered() {
        return tickets.get();
    }

    /**
     * The response of the request with this ticket is about to be complete, and its changes are committed. Its client may
     * come again at once, on this node or by way of others: from now on what the request used is replaced for those who
     * come after it. What it changes in place later is found still, but for attributes that another node changed as well.
     */
    public void answered(long ticket) {
        slots.values().forEach(slot -> slot.release(ticket));
    }

    /** The request that {@link #enter}ed with this ticket ends, after its last commit. */
    public void exit(long ticket) {
        SessionDoctor doctor = sessions.doctor();
        Checkup checkup =
                doctor == null ? null : new Checkup(doctor, this, slots); // Before what was used is forgotten.
        sessions.requests().end(running.remove(ticket)); // Before the slots: who notes a holder looks here afterwards.
        slots.values().forEach(slot -> slot.unwatch(ticket));
        if (checkup != null) {
            checkup.run();
        }
    }

    /**
     * Sends what changed since the last commit, in coherent mode to be awaited. Never throws for an attribute that can't
     * be encoded: that one stays on this node, named in a warning. A request that changed nothing sends nothing but, with
     * others and within {@code touchInterval}, its time; it waits, too, for changes of concurrent requests of this session
     * that it may have shown and that are still under way.
     */
    public Commit commit() {
        return commit(null);
    }

    /**
     * The same for a request that has its own coherence.
     *
     * @param override {@code null} if it has not: then the node's holds, or else the application's
     */
    public Commit commit(@Nullable Coherence override) {
        return publish(null, override);
    }

    /**
     * Changes the session id. The old id finds nothing on every node that merged the change; requests that found the session
     * before go on. Of two concurrent renames both new ids find it, the lower one until it is {@linkplain #retire retired}.
     * Awaited in any mode.
     */
    public Commit rename(String newId) {
        return publish(newId, Coherence.COHERENT);
    }

    /**
     * Ends an id that a rename gave and a concurrent one superseded, as its holder gets the current one with the response.
     * Nothing if it is no such id.
     *
     * @param id what the request bore, or any other
     */
    public Commit retire(String id) {
        lock.lock();
        try {
            SessionReplica replica = replica();
            SessionDelta retired = replica == null || !replica.live() ? null : replica.retired(sessions.clock(), id);
            if (retired == null) {
                return Commit.NOTHING;
            }
            last = sessions.commit(sessions.prepare(retired), Coherence.COHERENT);
            return last;
        } finally {
            lock.unlock();
        }
    }

    private Commit publish(@Nullable String newId, @Nullable Coherence override) {
        if (lock.isHeldByCurrentThread() || Thread.holdsLock(slots)) {
            // An attribute that is being told changes the session: a commit is at hand, or follows.
            return Commit.NOTHING;
        }
        lock.lock();
        try {
            SessionReplica replica = replica();
            if (replica == null || !(replica.live() || replica.into() != null)) {
                return Commit.NOTHING;
            }
            SessionDelta delta = changes(replica, newId);
            if (delta == null && !unshared()) {
                return changesUnderWay(override);
            }
            if (delta == null) { // It may be shown by a request that waits for what it shows.
                delta = SessionDelta.empty(key);
            }
            boolean whole = replica.live() && unshared();
            // Of a new session the creation is the first use: one stamp less, on each member.
            SessionDelta kept = published || delta.maxInactiveSeconds() != null ? delta : SessionDelta.empty(key);
            if (whole && newId == null && empty(replica, delta) && sessions.keep(kept, override)) {
                published = true;
                return Commit.NOTHING;
            }
            Outgoing outgoing = sessions.prepare(whole ? SessionDelta.join(replica.asDelta(), delta) : delta);
            published = true;
            last = sessions.commit(outgoing, override);
            return last;
        } finally {
            lock.unlock();
        }
    }

    private static boolean empty(SessionReplica replica, SessionDelta delta) {
        return replica.attributes().isEmpty() && delta.attributes().isEmpty();
    }

    /** Whether no other member was told of it. */
    boolean unshared() {
        StoredReplica stored = sessions.header(key);
        return stored != null && stored.unshared();
    }

    /** What a coherent request that changed nothing has to wait for: it may have shown it. */
    @GuardedBy("lock")
    private Commit changesUnderWay(@Nullable Coherence override) {
        if (!sessions.waits(override)) {
            return Commit.NOTHING;
        }
        CompletableFuture<Held> held = last.notAwaited();
        if (held != null) {
            last = sessions.awaited(held);
        }
        return last.pending() ? last : Commit.NOTHING;
    }

    /** What is to be sent; {@code null} for a mere use, which is noted. */
    @GuardedBy("lock")
    private @Nullable SessionDelta changes(SessionReplica replica, @Nullable String newId) {
        Map<String, StampedBytes> changed = AttributeChanges.of(sessions, activations, replica, slots);
        Stamp use = replica.used(sessions.clock());
        Integer maxInactive = newMaxInactive;
        newMaxInactive = null;
        if (published && changed.isEmpty() && newId == null && maxInactive == null) {
            if (inUse()) {
                sessions.touch(key, use);
            }
            return null;
        }
        SessionDelta delta = new SessionDelta(
                key,
                false,
                null,
                maxInactive == null ? null : stamped(replica.asDelta().maxInactiveSeconds(), maxInactive),
                use,
                changed,
                null);
        return newId == null ? delta : SessionDelta.join(delta, replica.renamed(sessions.clock(), newId));
    }

    private <T extends Comparable<T>> Stamped<T> stamped(@Nullable Stamped<T> overwritten, T value) {
        return new Stamped<>(
                sessions.clock()
                        .next(overwritten == null ? 0 : overwritten.stamp().time()),
                value);
    }

    /**
     * To be asked before listeners are told that the session ends: whether they are to be told here. Of all nodes that ask at
     * once one gets true, and with it has to call {@link #invalidate} or {@link #expire} after the listeners ran, whatever
     * they do. The others get false when the session is over, or 5 seconds after {@code ackTimeout}: to them it was ended elsewhere.
     *
     * <p>Waits for the other members; in coherent mode {@code ackTimeout} at most for those that do not answer, and not again
     * for the same until they are heard; in incoherent mode 20 ms, and not again for those that were late, for a second. Call it outside the container's locks.
     */
    public boolean beginEnd() {
        return beginEnd(null);
    }

    /** The same for a request that has its own coherence. */
    public boolean beginEnd(@Nullable Coherence override) {
        return !published || sessions.endings().begin(this, sessions.waits(override));
    }

    /**
     * The same for an expiry: of a session from {@link ReplicatedSessions#expirable}, or one that a request found {@linkplain
     * #overdue overdue}. False, too, if it was used in the meantime, anywhere: then it goes on.
     */
    public boolean beginExpiry() {
        return !published || sessions.endings().beginExpiry(this);
    }

    /** A session from {@link ReplicatedSessions#expirable} is not ended now, as it is in use. */
    public void giveUpEnd() {
        sessions.endings().giveUp(this);
    }

    /** What the members vote on. */
    Claim claim(Claim.Kind kind) {
        SessionReplica replica = header();
        return new Claim(key, kind, replica == null ? null : replica.lastUse());
    }

    void inherit(Claim claim) {
        inherited = claim;
    }

    /** Whether this node, by {@link #expire}, ends it for one that is gone and was invalidating it. */
    public boolean inheritsInvalidation() {
        Claim claim = inherited;
        return claim != null && claim.kind() == Claim.Kind.INVALIDATION;
    }

    /** Ends the session everywhere, for good. */
    public Commit invalidate() {
        return invalidate(null);
    }

    /** The same for a request that has its own coherence. */
    public Commit invalidate(@Nullable Coherence override) {
        return end(SessionDelta.invalidated(key), What.INVALIDATED, override);
    }

    /**
     * Ends the session everywhere, unless somewhere it was used later than this node knows. Awaited in any mode: what the
     * others do not know to be over when this node dies they tell their listeners again.
     */
    public Commit expire() {
        Claim wanted = inherited;
        SessionReplica replica = header();
        Stamp lastUse = replica == null ? null : replica.lastUse();
        if (wanted != null
                && wanted.lastUse() != null
                && (lastUse == null || wanted.lastUse().compareTo(lastUse) > 0)) {
            lastUse = wanted.lastUse();
        }
        return lastUse == null || inheritsInvalidation()
                ? invalidate(Coherence.COHERENT)
                : end(SessionDelta.expired(key, lastUse), What.EXPIRED, Coherence.COHERENT);
    }

    private Commit end(SessionDelta tombstone, What end, @Nullable Coherence override) {
        id(); // Remembers it for those who ask afterwards.
        Commit commit = Commit.NOTHING;
        lock.lock();
        try {
            if (!valid()) {
                return Commit.NOTHING;
            }
            boolean early = end == What.EXPIRED && !overdueBy(0);
            if (sessions.forget(key, end)) {
                sessions.metrics().count(Counter.SESSIONS_ENDED_FOR_ROOM, early ? 1 : 0);
            } else {
                commit = sessions.commit(sessions.prepare(tombstone), override);
            }
        } finally {
            lock.unlock();
            sessions.endings().finish(this);
        }
        sessions.metrics().count(end == What.EXPIRED ? Counter.SESSIONS_EXPIRED : Counter.SESSIONS_INVALIDATED);
        return commit;
    }

    @Override
    public String toString() {
        return "LiveSession[" + key + " of " + sessions.application() + "]";
    }
}
