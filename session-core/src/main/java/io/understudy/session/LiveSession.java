package io.understudy.session;

import io.understudy.audit.AuditEvent;
import io.understudy.codec.WireText;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.Coherence;
import io.understudy.doctor.SessionDoctor;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.session.activation.Activation;
import io.understudy.session.activation.ActivationEvents;
import io.understudy.session.attributes.AttributeSlots;
import io.understudy.session.attributes.SessionAttributes;
import io.understudy.session.replicas.LiveReplica;
import io.understudy.session.requests.VersionCookies;
import io.understudy.session.tickets.RunningTickets;
import io.understudy.store.StoredReplica;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
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

    /**
     * The name of an attribute that the container's session has, with the value {@code true}, while listeners are
     * called for an end {@linkplain #endedElsewhere on another node}.
     */
    public static final String ENDED_ELSEWHERE = "io.understudy.endedElsewhere";

    private final SessionServices services;
    private final LiveReplica replica;
    private final RunningTickets running = new RunningTickets();
    private final AtomicLong tickets = new AtomicLong();
    private final AttributeSlots slots = new AttributeSlots(running);
    private final SessionAttributes attributes;
    private final ActivationEvents activations;
    private final OthersCommits others = new OthersCommits(running);
    private final SessionCommits commits;
    private final SessionTimes times;
    private final SessionEnd end;
    private final SessionObjects objects;

    LiveSession(SessionServices services, StoredReplica stored, boolean published) {
        this.services = services;
        this.replica = new LiveReplica(services.replicas(), services.refetched(), stored);
        this.activations = new ActivationEvents(services.attributes().warnings(), this);
        this.attributes = new SessionAttributes(
                services.attributes(),
                new OwnedAttributes(this),
                slots,
                () -> services.tickets().applyAsLong(this));
        long age = published ? services.time().monotonicMillis() - stored.createdAt() : 0; // Two clocks, each rounded.
        this.times = new SessionTimes(services.time(), services.replicas(), replica, running, age);
        this.commits =
                new SessionCommits(services, this, replica, running, attributes, slots, times, others, published);
        this.end = new SessionEnd(services, replica, times, commits);
        this.objects = new SessionObjects(this, slots, commits, services.idle());
    }

    /** The replica that it stands on. */
    LiveReplica replicated() {
        return replica;
    }

    /** With its attributes; {@code null} if they can't be read, or nothing is known of the session any more. */
    @Nullable
    SessionReplica replica() {
        return replica.whole();
    }

    /**
     * Whether the session ended on another node, and listeners run here because of {@code endEvents = everywhere}.
     * Until they return the session is {@linkplain #valid valid}, with the attributes that this node knew. Changes of
     * it are lost.
     */
    public boolean endedElsewhere() {
        return replica.endedElsewhere();
    }

    /**
     * Whether a response waits for the session's changes.
     *
     * @param override the coherence that the request wants; {@code null} if the node, or else the setting decides
     */
    public boolean waits(@Nullable Coherence override) {
        return services.outcomes().waits(override);
    }

    /**
     * The commit of a request that goes on after its application was stopped on this node: nothing that it changes is
     * sent any more. It is degraded if it would wait.
     */
    public Commit notSent(@Nullable Coherence override) {
        return waits(override) ? services.outcomes().degraded() : Commit.NOTHING;
    }

    /** The settings of the session's application. */
    public ApplicationConfig settings() {
        return services.config().application();
    }

    public SessionKey key() {
        return replica.key();
    }

    /** The current session id: a rename on another node shows here. If the session is over, its last id. */
    public String id() {
        return replica.id();
    }

    /**
     * The id that a client is to bear if its request found this session by the given one: the same, or after
     * concurrent changes the one that holds. {@code null} if that id finds nothing any more. A login may have replaced
     * it just now, and this client must not learn the new one.
     */
    public @Nullable String idFor(String borne) {
        SessionReplica now = replica.header(); // Once: the next one may have another id.
        return now != null && now.answersTo(borne) ? now.id() : null;
    }

    /**
     * What the client, which may have seen all that is here now, is to give back with its next request; {@code null}
     * if nothing. To be asked when the response begins, after its commits.
     */
    public @Nullable VersionCookie version() {
        VersionCookies versions = services.versions();
        return versions.on() ? new VersionCookie(versions.name(), versions.value(key(), id(), valid())) : null;
    }

    /** Whether the session is neither invalidated nor expired, on any node as far as known here. */
    public boolean valid() {
        return replica.valid();
    }

    /** Whether no commit was made yet, here or elsewhere. */
    public boolean isNew() {
        return !commits.published();
    }

    /** Creation time in milliseconds since the epoch of this machine's clock. */
    public long creationMillis() {
        return times.creationMillis();
    }

    /** When a request, on any node, last used the session; milliseconds since the epoch of this machine's clock. */
    public long lastUseMillis() {
        return times.lastUseMillis();
    }

    /** How long nobody used it, by the monotonic clock, in milliseconds. */
    public long idleMillis() {
        return times.idleMillis();
    }

    /** Idle time in seconds after which the session expires; 0 or less is never. */
    public int maxInactiveSeconds() {
        return times.maxInactiveSeconds();
    }

    /** Travels with the next commit. */
    public void maxInactiveSeconds(int seconds) {
        times.maxInactiveSeconds(seconds, services.tickets().applyAsLong(this));
    }

    /**
     * Whether a request that finds the session now must treat it as expired. On the owner that is its idle time; on
     * other nodes two touch intervals more, as a touch may be under way. Never while a request here uses it.
     */
    public boolean overdue() {
        return times.overdue();
    }

    SessionTimes times() {
        return times;
    }

    /** Whether a request of this node uses it. */
    public boolean inUse() {
        return !running.isEmpty();
    }

    /**
     * The attributes: a view that decodes a value when it is first read, notes reads and writes, and refuses null.
     * {@code put} and {@code remove} return the previous value. An attribute that can't be decoded here reads as
     * absent, and once it was read it is not among the names; it is kept and passed on, and a {@code put} or {@code
     * remove} replaces it.
     */
    public ConcurrentMap<String, Object> attributes() {
        return attributes.application();
    }

    /**
     * The attributes as the request with this ticket sees them. Use this, or {@linkplain
     * ReplicatedSessions#bindRequests declare} which request a thread works for. Otherwise what the thread uses
     * counts as used by all requests that run, and does not change before the last of them ends.
     */
    public ConcurrentMap<String, Object> attributes(long ticket) {
        return attributes.application(ticket);
    }

    /**
     * The attributes for values that nobody changes in place, such as a login that the container keeps among them. Each
     * read gives the newest value, unless a running request has read or set another one through {@link #attributes}.
     */
    public ConcurrentMap<String, Object> unchangingAttributes() {
        return attributes.unchanging();
    }

    /**
     * Checks a value that an application is about to set as an attribute. Call it before the attribute's listeners are
     * called, and without the container's locks, as it encodes. Does nothing unless {@code onNotReplicable} is {@code
     * fail}.
     *
     * @throws IllegalArgumentException if the value can't be replicated, with the reason; it must not be set then
     */
    public void checkReplicable(String name, Object value) {
        attributes.check(name, value);
    }

    SessionCommits commits() {
        return commits;
    }

    AttributeSlots slots() {
        return slots;
    }

    /**
     * What the container keeps with the session beside the attributes, such as who is logged in: a view like {@link
     * #unchangingAttributes}. Applications do not see it.
     */
    public ConcurrentMap<String, Object> containerAttributes() {
        return attributes.container();
    }

    public SessionObjects objects() {
        return objects;
    }

    /** Sets what notifies the attributes of this session when they are encoded and decoded. The last call counts. */
    public void activation(Activation activation) {
        activations.toldBy(activation);
    }

    ActivationEvents activations() {
        return activations;
    }

    /** Tickets of the requests that run. */
    RunningTickets running() {
        return running;
    }

    /**
     * A request begins to use the session: its use counts, and what it reads from now on is not replaced under it.
     *
     * @return to be given to {@link #exit}; if anything else can fail before that, take a {@link #use} in its place
     */
    public long enter() {
        long ticket = tickets.incrementAndGet();
        enter(ticket);
        return ticket;
    }

    void enter(long ticket) {
        services.endsElsewhere().used(key());
        running.add(ticket);
        services.requests().begin();
    }

    /** A request is going to use the session: {@link SessionUse#begin} begins what {@link #enter} does. */
    public SessionUse use() {
        return new SessionUse(this, tickets.incrementAndGet());
    }

    /**
     * The response of the request with this ticket is about to be complete, and its changes are committed. Its client
     * may come again at once, on this node or by way of others. From now on those who come later get newer values of
     * what the request used or uses. What it changes in place later is sent still, unless another node changed it,
     * too.
     */
    public void responseReady(long ticket) {
        try {
            running.answered(ticket); // First: a slot that the request uses from now on finds that.
        } finally {
            slots.release(ticket);
        }
    }

    /** The request with this ticket begins anew: what it used until now is replaced for it, too, by what is newer. */
    void readAnew(long ticket) {
        slots.release(ticket);
    }

    /** The request that {@link #enter}ed with this ticket ends, after its last commit. */
    public void exit(long ticket) {
        SessionDoctor doctor = services.doctor();
        Runnable visit = null;
        try {
            visit = doctor == null
                    ? null
                    : attributes.visit(doctor, tickets::get); // Before what was used is forgotten.
        } finally {
            // Before the slots: whoever notes a holder looks here afterwards. A slot that can't be told finds out by
            // itself.
            if (running.remove(ticket)) {
                services.requests().end();
            }
            others.over(ticket);
            slots.unwatch(ticket);
        }
        objects.used();
        services.idle().makeRoom();
        if (visit != null) {
            visit.run();
        }
    }

    /**
     * Sends what changed since the last commit; in coherent mode the caller awaits the result. Never throws for an
     * attribute that can't be encoded: the attribute stays on this node, and a warning names it. If the next try may
     * succeed, the commit of a coherent request is {@link Commit.Outcome#DEGRADED}.
     *
     * <p>A request that changed nothing sends only its time of use, together with others and within {@code
     * touchInterval}. It also waits for changes of concurrent requests of this session that it may have shown and that
     * are still under way. A request with a {@link SessionUse} commits by that.
     */
    public Commit commit() {
        return commit(null);
    }

    /** @param override the request's own coherence; {@code null} if it has none: then the node's holds, or the application's */
    public Commit commit(@Nullable Coherence override) {
        return commits.publish(null, override, 0, false);
    }

    /**
     * Sends what a request changed after its response. Nobody waits for it. An attribute with an {@link Activation}
     * that another request uses by now is left to the commit of that request, which would find it passivated
     * otherwise.
     *
     * @param use that of the request; {@code null} if it has ended
     */
    public Commit commitAfterResponse(@Nullable SessionUse use) {
        return commits.publish(null, Coherence.INCOHERENT, use == null ? 0 : use.ticket(), true);
    }

    /**
     * Changes the session id. The old id finds nothing on every node that merged the change. Requests that found the
     * session before go on. After two concurrent renames both new ids find it, the lower one until it is {@linkplain
     * #dropSupersededId retired}. The caller awaits the result in any mode.
     *
     * @throws IllegalArgumentException if other members could not read the id: it holds half of a surrogate pair
     */
    public Commit rename(String newId) {
        long own = services.tickets().applyAsLong(this);
        return commits.publish(WireText.require("a session id", newId), Coherence.COHERENT, own, false);
    }

    /**
     * Ends an id that a rename gave and a concurrent one superseded, as its holder gets the current one with the
     * response. Nothing if it is no such id.
     *
     * @param id what the request bore, or any other
     */
    public Commit dropSupersededId(String id) {
        return commits.inTurn(() -> {
            SessionReplica now = replica.whole();
            SessionDelta retired = now == null || !now.live() ? null : now.retired(services.clock(), id);
            return retired == null ? commits.sendUnsent(Coherence.COHERENT) : commits.send(retired, Coherence.COHERENT);
        });
    }

    /**
     * Decides whether this node calls the listeners for the end of the session. Call it before they run, outside the
     * container's locks. If several nodes call it at once, one of them gets true. That node must call {@link
     * #invalidate} or {@link #expire} after the listeners ran, whatever they do. The others get false when the session
     * is over, or 5 seconds after {@code ackTimeout}: for them the session was ended elsewhere.
     *
     * <p>Waits for the votes of the other members. In coherent mode it waits {@code ackTimeout} at most for members
     * that do not answer, and not again for the same members until they answer. In incoherent mode it waits 20 ms, and
     * not again within a second for those that were late. While {@code maxWaitingRequests} wait on this node, it waits
     * 20 ms at most, also for another node's end.
     */
    public boolean beginEnd() {
        return beginEnd(null);
    }

    /** The same for a request that has its own coherence. */
    public boolean beginEnd(@Nullable Coherence override) {
        return isNew() || services.endings().begin(this, services.outcomes().waits(override));
    }

    /**
     * The same for an expiry: of a session from {@link ReplicatedSessions#expirable}, or one that a request found
     * {@linkplain #overdue overdue}. False, too, if it was used in the meantime, anywhere: then it goes on.
     * And if the votes of others are missing: then another attempt ends it.
     */
    public boolean beginExpiry() {
        return isNew() || services.endings().beginExpiry(this);
    }

    /** A session from {@link ReplicatedSessions#expirable} is not ended now, as it is in use. */
    public void abandonEnd() {
        services.endings().giveUp(this);
    }

    SessionEnd end() {
        return end;
    }

    /** Whether this node, by {@link #expire}, ends it for one that is gone and was invalidating it. */
    public boolean inheritsInvalidation() {
        return end.inheritsInvalidation();
    }

    /** Ends the session everywhere, for good. */
    public Commit invalidate() {
        return invalidate(null);
    }

    /** The same for a request that has its own coherence. */
    public Commit invalidate(@Nullable Coherence override) {
        return end.make(AuditEvent.INVALIDATED, override);
    }

    /**
     * Ends the session everywhere, unless it was used later somewhere than this node knows. There is no need to wait
     * for the commit. If this node dies before the end is acknowledged, an heir calls its listeners again.
     */
    public Commit expire() {
        return end.make(AuditEvent.EXPIRED, Coherence.COHERENT);
    }

    @Override
    public String toString() {
        return "LiveSession[" + key() + " of " + services.application() + "]";
    }
}
