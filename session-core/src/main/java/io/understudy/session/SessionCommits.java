package io.understudy.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.delivery.AckResult;
import io.understudy.cluster.delivery.PendingAck;
import io.understudy.config.session.Coherence;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.session.OthersCommits.Sending;
import io.understudy.session.SessionTimes.IdleTime;
import io.understudy.session.attributes.AttributeChanges;
import io.understudy.session.attributes.AttributeSlots;
import io.understudy.session.attributes.SessionAttributes;
import io.understudy.session.replicas.LiveReplica;
import io.understudy.session.tickets.RunningTickets;
import io.understudy.store.StoredReplica;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one live session, one after the other. A commit that fails leaves all that it would have sent to the
 * next one. A commit may wait for a monitor of the application, that of a {@code Vector}, and a thread in that monitor
 * for the lock here. So its wait has a limit: then its commit is left to the next one, too, and an end goes out of turn.
 *
 * <p>Threads: any. The lock is not held while sending or waiting.
 */
final class SessionCommits {

    /** How often a change is given a place that no slot knows of: an ended session has no next commit. */
    private static final int PLACINGS = 3;

    private final SessionServices services;
    private final LiveSession session;
    private final LiveReplica replica;
    private final RunningTickets running;
    private final SessionAttributes attributes;
    private final AttributeSlots slots;
    private final ReentrantLock lock = new ReentrantLock();
    private final SessionTimes times;
    private final OthersCommits others;
    private volatile boolean published;
    private volatile Commit last = Commit.NOTHING;

    /** Whether a commit was left to the next one, and none has begun since. */
    private volatile boolean left;

    /** What is merged here already, while the commit failed that was to send it, or is not made yet. */
    @GuardedBy("lock")
    private @Nullable SessionDelta unsent;

    /** @param published whether one was made, here or elsewhere */
    SessionCommits(
            SessionServices services,
            LiveSession session,
            LiveReplica replica,
            RunningTickets running,
            SessionAttributes attributes,
            AttributeSlots slots,
            SessionTimes times,
            OthersCommits others,
            boolean published) {
        this.services = services;
        this.session = session;
        this.replica = replica;
        this.running = running;
        this.attributes = attributes;
        this.slots = slots;
        this.times = times;
        this.others = others;
        this.published = published;
    }

    /** Whether one was made, here or elsewhere. */
    boolean published() {
        return published;
    }

    /** Whether the calling thread is in the middle of one. */
    boolean byThisThread() {
        return lock.isHeldByCurrentThread();
    }

    /** What ends the session, or an id, in turn with the commits. If that does not come a commit finds it as another node's. */
    Commit inTurn(Supplier<Commit> end) {
        if (!services.outcomes().turn(lock, session)) {
            return end.get();
        }
        try {
            return end.get();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a request's commit is left to the next one. */
    boolean left() {
        return left;
    }

    /** Whether a commit is made or under way, or something of the session is here that no replica has yet. */
    boolean waiting() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            return last.underWay() || !published || unsent != null || times.newIdleTime() != null;
        } finally {
            lock.unlock();
        }
    }

    /** The last one that sent anything. */
    Commit last() {
        return last;
    }

    /** Work for which no commit may be made meanwhile; {@code null}, and nothing is done, while one is. */
    <T> @Nullable T inTurnIfFree(Supplier<T> work) {
        if (byThisThread() || !lock.tryLock()) {
            return null;
        }
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a change that no slot knows of, with what could not be sent before. */
    Commit send(SessionDelta delta, @Nullable Coherence override) {
        if (!byThisThread()) {
            return sendOutOfTurn(delta, override);
        }
        lock.lock();
        try {
            SessionDelta all = unsent == null ? delta : SessionDelta.join(unsent, delta);
            services.outcomes().announce(override);
            PendingAck outgoing = prepared(all, services.replicas().header(replica.key()), null);
            for (int placings = 1; placings < PLACINGS && !outgoing.placed(); placings++) {
                outgoing = preparedAgain(all, outgoing);
            }
            return sent(all, outgoing, override, false, 0);
        } finally {
            lock.unlock();
        }
    }

    /** If it can't be sent, the others learn of it with the regular tasks. */
    private Commit sendOutOfTurn(SessionDelta delta, @Nullable Coherence override) {
        services.outcomes().announce(override);
        PendingAck outgoing = services.replicas().prepare(delta, replica.stored());
        last = services.outcomes().of(outgoing, null, override, false);
        return last;
    }

    /** Sends once more what could not be sent, if there is anything. */
    Commit sendUnsent(@Nullable Coherence override) {
        if (!byThisThread()) {
            return Commit.NOTHING; // It is for the commit whose turn it is.
        }
        lock.lock();
        try {
            return unsent == null ? Commit.NOTHING : send(unsent, override);
        } finally {
            lock.unlock();
        }
    }

    /** The end of a session that is over: what could not be sent is sent once more, and what is under way is awaited. */
    Commit alreadyEnded(@Nullable Coherence override) {
        if (!byThisThread()) {
            return last;
        }
        lock.lock();
        try {
            return unsent == null ? othersChanges(override, 0, true) : send(unsent, override);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends what changed. If the session can't be read from disk, and nobody else sends it, all of it waits for the next
     * commit, and the outcome is degraded.
     *
     * @param newId {@code null} if the session keeps its id
     * @param own the ticket of the request; 0 if there is none, or it has ended, or is not known
     * @param answered whether the response of the request has left
     */
    Commit publish(@Nullable String newId, @Nullable Coherence override, long own, boolean answered) {
        if (byThisThread()) {
            return Commit.NOTHING; // An attribute that is being told changes the session: a commit is at hand.
        }
        Commit commit = publishInTurn(newId, override, own, answered, true);
        if (commit == null && replica.fetched() != null) {
            commit = publishInTurn(newId, override, own, answered, true);
        }
        return commit == null ? services.outcomes().degraded() : commit;
    }

    /** Lets go of objects that threads of no request used: what they changed in place is sent before. Not beside a commit. */
    void letGoOfLent() {
        Boolean unused = inTurnIfFree(() -> {
            slots.watchLent();
            boolean sent = published && publishByItself() != null;
            if (sent) {
                slots.letGoOfLent();
            }
            return sent;
        });
    }

    /** Commits what was put off, or left: other nodes may have an old state, and no request may come. Not beside a commit. */
    void tryAgain() {
        Boolean unused = inTurnIfFree(() -> published && publishByItself() != null);
    }

    /** Without a request: the session is as idle as before. */
    private @Nullable Commit publishByItself() {
        return publishInTurn(null, Coherence.INCOHERENT, 0, false, false);
    }

    /** @param used whether a request or another thread uses the session with it */
    private @Nullable Commit publishInTurn(
            @Nullable String newId, @Nullable Coherence override, long own, boolean answered, boolean used) {
        if (!services.outcomes().turn(lock, session)) {
            return newId == null ? leftToNext(override) : renamedOutOfTurn(newId, override);
        }
        boolean made = false;
        try {
            left = false; // Before this one looks at the slots.
            Commit commit = publishIfReadable(newId, override, own, answered, used);
            made = commit != null;
            return commit;
        } finally {
            try {
                if (!made) {
                    leaveToNext(published); // What was never published has no commit by itself.
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @GuardedBy("lock")
    private @Nullable Commit publishIfReadable(
            @Nullable String newId, @Nullable Coherence override, long own, boolean answered, boolean used) {
        StoredReplica stored = services.replicas().stored(replica.key());
        if (stored == null && replica.valid()) {
            return null;
        }
        if (stored == null || !(stored.replica().live() || stored.replica().into() != null)) {
            return sendUnsent(override);
        }
        try (AttributeChanges changes = attributes.changes(stored.replica(), own, answered)) {
            return publish(stored, changes, newId, override, own, used);
        }
    }

    /** If no other commit of the session follows, one is made as for values that were put off. */
    private void leaveToNext(boolean putOff) {
        left = true;
        try {
            slots.owe();
        } finally {
            if (putOff) {
                services.idle().putOff(session);
            }
        }
    }

    private Commit leftToNext(@Nullable Coherence override) {
        leaveToNext(true);
        return services.outcomes().waits(override) ? services.outcomes().degraded() : Commit.NOTHING;
    }

    /** The id that a login replaces must be worthless. What else the request changed goes with its next commit. */
    private @Nullable Commit renamedOutOfTurn(String newId, @Nullable Coherence override) {
        StoredReplica stored = services.replicas().stored(replica.key());
        SessionReplica known = stored == null ? null : stored.replica();
        if (stored == null || known == null || !(known.live() || known.into() != null)) {
            return stored == null && replica.valid() ? null : Commit.NOTHING;
        }
        SessionDelta renamed = known.renamed(services.clock(), newId);
        return sendOutOfTurn(
                known.live() && stored.unshared() ? SessionDelta.join(known.asDelta(), renamed) : renamed, override);
    }

    @GuardedBy("lock")
    private Commit publish(
            StoredReplica stored,
            AttributeChanges changes,
            @Nullable String newId,
            @Nullable Coherence override,
            long own,
            boolean used) {
        SessionReplica known = stored.replica();
        IdleTime maxInactive = times.newIdleTime();
        Map<String, StampedBytes> changed = changes.changes();
        Stamp use = used || known.lastUse() == null ? known.used(services.clock()) : known.lastUse();
        boolean putOff = changes.putOff();
        boolean mereUse = published && changed.isEmpty() && newId == null && maxInactive == null && unsent == null;
        // With a declared Content-Length a request commits twice, one right after the other.
        if (mereUse && !running.isEmpty() && !services.replicas().usedHereNow(stored)) {
            services.replicas().touch(replica.key(), use);
        }
        if (mereUse && !stored.unshared()) {
            committed(changes);
            return nothingSent(putOff, othersChanges(override, own, !putOff), override);
        }
        // A mere use of an unshared session may be shown by a request that waits for what it shows.
        SessionDelta delta =
                mereUse ? SessionDelta.empty(replica.key()) : delta(known, changed, use, maxInactive, newId);
        boolean whole = known.live() && stored.unshared();
        // Of a new session the creation is the first use: one stamp less, on each member.
        SessionDelta kept = published || delta.maxInactiveSeconds() != null ? delta : SessionDelta.empty(replica.key());
        boolean alone = whole && newId == null && delta.attributes().isEmpty(); // Before the next, which makes a map.
        if (alone && known.attributes().isEmpty() && services.replicas().keep(kept, override)) {
            committed(changes, maxInactive);
            unsent = null;
            return nothingSent(putOff, Commit.NOTHING, override);
        }
        SessionDelta sent = whole ? SessionDelta.join(known.asDelta(), delta) : delta;
        services.outcomes().announce(override);
        Sending forOthers = others.sending(changes, maxInactive, own);
        PendingAck outgoing = prepared(sent, stored, forOthers);
        committed(changes, maxInactive);
        return sent(sent, outgoing, override, putOff, own);
    }

    /** The commit of a request that sends nothing: if what it changed is put off, and it would wait for that, it is degraded. */
    private Commit nothingSent(boolean putOff, Commit others, @Nullable Coherence override) {
        return putOff && services.outcomes().waits(override)
                ? services.outcomes().degraded(others)
                : others;
    }

    @GuardedBy("lock")
    private void committed(AttributeChanges changes, @Nullable IdleTime maxInactive) {
        committed(changes);
        times.committed(maxInactive);
        published = true;
    }

    private void committed(AttributeChanges changes) {
        boolean putOff = changes.leavesPutOff();
        attributes.committed(changes);
        if (putOff) {
            services.idle().putOff(session);
        }
    }

    @GuardedBy("lock")
    private SessionDelta delta(
            SessionReplica known,
            Map<String, StampedBytes> changed,
            Stamp use,
            @Nullable IdleTime maxInactive,
            @Nullable String newId) {
        SessionDelta delta = new SessionDelta(
                replica.key(),
                false,
                null,
                maxInactive == null ? null : replica.idleTime(maxInactive.seconds(), known, services.clock()),
                use,
                changed,
                null);
        delta = unsent == null ? delta : SessionDelta.join(unsent, delta);
        return newId == null ? delta : SessionDelta.join(delta, known.renamed(services.clock(), newId));
    }

    /**
     * Merges a change here, and gives it its place among those that are sent. It is unsent until its commit is made.
     *
     * @param delta with all that is unsent
     * @param stored the session as it was
     * @param forOthers what it has of other requests' changes; {@code null} if nothing
     */
    @GuardedBy("lock")
    private PendingAck prepared(SessionDelta delta, @Nullable StoredReplica stored, @Nullable Sending forOthers) {
        SessionDelta before = unsent;
        unsent = delta; // Also if there is no memory to find out whether it is merged.
        PendingAck outgoing = null;
        try {
            outgoing = services.replicas().prepare(delta, stored);
            return outgoing;
        } finally {
            boolean gone = false;
            try {
                gone = outgoing == null && !services.replicas().holds(delta);
            } finally {
                unsent = gone ? before : unsent;
                if (!gone && forOthers != null) {
                    forOthers.merged(outgoing);
                }
            }
        }
    }

    /** The same for a change that has no place yet; it is merged, so nothing that is thrown now is for the request. */
    @GuardedBy("lock")
    private PendingAck preparedAgain(SessionDelta delta, PendingAck unplaced) {
        try {
            return prepared(delta, services.replicas().header(replica.key()), null);
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            return unplaced;
        }
    }

    /**
     * The commit of a change that is prepared.
     *
     * @param putOff whether a value of it will be sent by a later one
     * @param own the ticket of the request
     */
    @GuardedBy("lock")
    private Commit sent(
            SessionDelta delta, PendingAck outgoing, @Nullable Coherence override, boolean putOff, long own) {
        CompletableFuture<AckResult> before = services.outcomes().waits(override) ? others.held(own) : null;
        Commit commit = services.outcomes().of(outgoing, before, override, putOff);
        last = putOff || before != null ? services.outcomes().forOthers(outgoing, override) : commit;
        unsent = outgoing.placed() ? null : delta;
        others.outcome(own, before == null ? null : commit);
        return commit;
    }

    /** What a coherent request waits for that has nothing to send: it may have shown it, or others sent it for the request. */
    @GuardedBy("lock")
    private Commit othersChanges(@Nullable Coherence override, long own, boolean counted) {
        if (!services.outcomes().waits(override)) {
            return Commit.NOTHING;
        }
        Commit sent = others.outcome(own, last.underWay() ? last.held() : null, services.outcomes(), counted);
        if (sent != null) {
            return sent;
        }
        last = services.outcomes().awaited(last);
        return last.pending() ? last : Commit.NOTHING;
    }
}
