package io.understudy.session;

import io.understudy.audit.AuditEvent;
import io.understudy.codec.WireText;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.Coherence;
import io.understudy.doctor.SessionDoctor;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.attributes.AttributeOwner;
import io.understudy.session.attributes.AttributeSlots;
import io.understudy.session.attributes.LiveAttributes;
import io.understudy.session.attributes.RunningTickets;
import io.understudy.session.attributes.SetAttributeCheck;
import io.understudy.session.attributes.Warnings;
import io.understudy.session.requests.VersionCookies;
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
     * The name of an attribute that the container's session has, with the value {@code true}, while listeners are called
     * for an end {@linkplain #endedElsewhere on another node}.
     */
    public static final String ENDED_ELSEWHERE = "io.understudy.endedElsewhere";

    private final SessionServices services;
    private final SessionKey key;
    private final long creationMillis;
    private final RunningTickets running = new RunningTickets();
    private final AttributeSlots slots = new AttributeSlots(running);
    private final AttributeOwner owner = new OwnedAttributes(this);
    private final LiveAttributes attributes;
    private final LiveAttributes containers;
    private final ActivationEvents activations = new ActivationEvents(this);
    private final AtomicLong tickets = new AtomicLong();
    private final SessionCommits commits;
    private final SetAttributeCheck attributeCheck;
    private final SessionEnd end;
    private final SessionObjects objects;
    private volatile String lastId;

    /** The replica before the session ended on another node, while listeners run here for that end. */
    private volatile @Nullable StoredReplica last;

    LiveSession(SessionServices services, StoredReplica stored, boolean published) {
        this.services = services;
        this.key = stored.replica().key();
        long age = published ? services.time().monotonicMillis() - stored.createdAt() : 0; // Two clocks, each rounded.
        this.creationMillis = services.time().wallMillis() - age;
        this.lastId = String.valueOf(stored.replica().id());
        this.attributes = new LiveAttributes(owner, services.attributes(), "", slots, this::ticketOfThread);
        this.containers = new LiveAttributes(
                owner, services.attributes(), ApplicationAttributes.CONTAINER, slots, this::ticketOfThread);
        this.commits = new SessionCommits(services, this, slots, published);
        this.attributeCheck = new SetAttributeCheck(services.attributes(), owner, slots);
        this.end = new SessionEnd(services, this, commits);
        this.objects = new SessionObjects(this, slots, commits, services.idle());
    }

    /**
     * With its attributes; {@code null} if they can't be read from disk, or nothing is known of the session any more. No use of
     * it: who found the session, or commits it, uses it.
     */
    @Nullable
    SessionReplica replica() {
        StoredReplica before = last;
        StoredReplica stored = before == null ? services.replicas().whole(key) : before;
        return stored == null ? null : stored.replica();
    }

    /** A session that can't be read from disk, as another member sends it within 2 seconds; {@code null} if none does. */
    @Nullable
    SessionReplica fetched() {
        return valid() && services.refetched().fetch(key) ? replica() : null;
    }

    /** All but the attributes, which may be on disk. */
    @Nullable
    SessionReplica header() {
        StoredReplica stored = stored();
        return stored == null ? null : stored.replica();
    }

    private @Nullable StoredReplica stored() {
        StoredReplica before = last;
        return before == null ? services.replicas().header(key) : before;
    }

    /** Sets the replica that the session had before its end, and stands on it. {@code null} takes it away again. */
    void last(@Nullable StoredReplica replica) {
        last = replica;
    }

    /**
     * Whether the session ended on another node, and listeners run here because of {@code endEvents = everywhere}. Until
     * they return the session is {@linkplain #valid valid}, with the attributes that this node knew. Changes of it are
     * lost.
     */
    public boolean endedElsewhere() {
        return last != null;
    }

    Warnings warnings() {
        return services.attributes().warnings();
    }

    /** The settings of the session's application. */
    public ApplicationConfig settings() {
        return services.config().application();
    }

    public SessionKey key() {
        return key;
    }

    /** The current session id: a rename on another node shows here. If the session is over, its last id. */
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
        VersionCookies versions = services.versions();
        return versions.on() ? new VersionCookie(versions.name(), versions.value(key, id(), valid())) : null;
    }

    /** Whether the session is neither invalidated nor expired, on any node as far as known here. */
    public boolean valid() {
        SessionReplica replica = header();
        return replica != null && replica.live();
    }

    /** Whether no commit was made yet, here or elsewhere. */
    public boolean isNew() {
        return !commits.published();
    }

    /** Creation time in milliseconds since the epoch of this machine's clock. */
    public long creationMillis() {
        return creationMillis;
    }

    /** When a request, on any node, last used the session; milliseconds since the epoch of this machine's clock. */
    public long lastUseMillis() {
        StoredReplica stored = stored();
        boolean once = stored != null && stored.usedAt() == stored.createdAt();
        return once ? creationMillis : services.time().wallMillis() - idleMillis(stored); // Two clocks, each rounded.
    }

    /** How long nobody used it, by the monotonic clock, in milliseconds. */
    public long idleMillis() {
        return idleMillis(stored());
    }

    private long idleMillis(@Nullable StoredReplica stored) {
        return stored == null ? 0 : Math.max(0, services.time().monotonicMillis() - stored.usedAt());
    }

    /** Idle time in seconds after which the session expires; 0 or less is never. */
    public int maxInactiveSeconds() {
        Integer staged = commits.newMaxInactive(); // First: once it is committed, the replica has it.
        return maxInactiveSeconds(staged, staged == null ? stored() : null);
    }

    private static int maxInactiveSeconds(@Nullable Integer staged, @Nullable StoredReplica stored) {
        return staged != null ? staged : stored == null ? 0 : stored.replica().maxInactiveSeconds();
    }

    /** Travels with the next commit. */
    public void maxInactiveSeconds(int seconds) {
        commits.newMaxInactive(seconds);
    }

    /**
     * Whether a request that finds the session now must treat it as expired. On the owner that is its idle time; on
     * other nodes two touch intervals more, as a touch may be under way. Never while a request here uses it.
     */
    public boolean overdue() {
        Integer staged = commits.newMaxInactive();
        StoredReplica stored = services.replicas().header(key);
        return stored != null
                && !inUse()
                && overdueBy(
                        services.replicas().usedHere(stored.replica())
                                ? 0
                                : services.replicas().slackMillis(),
                        staged,
                        stored);
    }

    boolean overdueBy(long slackMillis) {
        Integer staged = commits.newMaxInactive();
        return overdueBy(slackMillis, staged, services.replicas().header(key));
    }

    private boolean overdueBy(long slackMillis, @Nullable Integer staged, @Nullable StoredReplica stored) {
        int seconds = maxInactiveSeconds(staged, stored);
        return seconds > 0 && idleMillis(stored) > seconds * 1000L + slackMillis;
    }

    /** Whether a request of this node uses it. */
    public boolean inUse() {
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
     * The attributes as the request with this ticket sees them. Use this, or {@linkplain ReplicatedSessions#bindRequests
     * declare} which request a thread works for. Otherwise what the thread uses counts as used by all requests that
     * run, and does not change before the last of them ends.
     */
    public ConcurrentMap<String, Object> attributes(long ticket) {
        return new LiveAttributes(owner, services.attributes(), "", slots, () -> ticket);
    }

    /**
     * Checks a value that an application is about to set as an attribute. Call it before the attribute's listeners are
     * called, and without the container's locks, as it encodes. Does nothing unless {@code onNotReplicable} is {@code
     * fail}.
     *
     * @throws IllegalArgumentException if the value can't be replicated, with the reason; it must not be set then
     */
    public void checkReplicable(String name, Object value) {
        attributeCheck.check(name, value);
    }

    SessionCommits commits() {
        return commits;
    }

    AttributeSlots slots() {
        return slots;
    }

    SetAttributeCheck attributeCheck() {
        return attributeCheck;
    }

    /**
     * What the container keeps with the session beside the attributes, such as who is logged in: a view like theirs, of values
     * that nobody changes in place. Applications do not see it.
     */
    public ConcurrentMap<String, Object> containerAttributes() {
        return containers;
    }

    /** Its objects on this node. */
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

    private long ticketOfThread() {
        return services.tickets().applyAsLong(this);
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
        services.endsElsewhere().used(key);
        running.add(ticket);
        services.requests().begin();
    }

    /** A request is going to use the session: {@link SessionUse#begin} begins what {@link #enter} does. */
    public SessionUse use() {
        return new SessionUse(this, tickets.incrementAndGet());
    }

    /** The ticket that was given last. */
    long entered() {
        return tickets.get();
    }

    /**
     * The response of the request with this ticket is about to be complete, and its changes are committed. Its client may
     * come again at once, on this node or by way of others. From now on those who come later get newer values of what
     * the request used or uses. What it changes in place later is sent still, unless another node changed it, too.
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
        DoctorVisit checkup = null;
        try {
            checkup =
                    doctor == null ? null : new DoctorVisit(doctor, this, slots); // Before what was used is forgotten.
        } finally {
            // Before the slots: whoever notes a holder looks here afterwards. A slot that can't be told finds out by
            // itself.
            if (running.remove(ticket)) {
                services.requests().end();
            }
            slots.unwatch(ticket);
        }
        objects.used();
        services.idle().makeRoom();
        if (checkup != null) {
            checkup.run();
        }
    }

    /**
     * Sends what changed since the last commit; in coherent mode the caller awaits the result. Never throws for an
     * attribute that can't be encoded: the attribute stays on this node, and a warning names it. If the next try may
     * succeed, the commit of a coherent request is {@link Commit.Outcome#DEGRADED}.
     *
     * <p>A request that changed nothing sends only its time of use, together with others and within {@code
     * touchInterval}. It also waits for changes of concurrent requests of this session that it may have shown and that
     * are still under way.
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
        return commits.publish(null, override);
    }

    /**
     * Sends what a request changed after its response. Nobody waits for it. An attribute with an {@link Activation} that
     * another request uses by now is left to the commit of that request, which would find it passivated otherwise.
     *
     * @param use that of the request; {@code null} if it has ended
     */
    public Commit commitAfterResponse(@Nullable SessionUse use) {
        return commits.publish(null, Coherence.INCOHERENT, use == null ? 0 : use.ticket());
    }

    /**
     * Changes the session id. The old id finds nothing on every node that merged the change. Requests that found the
     * session before go on. After two concurrent renames both new ids find it, the lower one until it is {@linkplain
     * #dropSupersededId retired}. The caller awaits the result in any mode.
     *
     * @throws IllegalArgumentException if other members could not read the id: it holds half of a surrogate pair
     */
    public Commit rename(String newId) {
        return commits.publish(WireText.require("a session id", newId), Coherence.COHERENT);
    }

    /**
     * Ends an id that a rename gave and a concurrent one superseded, as its holder gets the current one with the response.
     * Nothing if it is no such id.
     *
     * @param id what the request bore, or any other
     */
    public Commit dropSupersededId(String id) {
        return commits.inTurn(() -> {
            SessionReplica replica = replica();
            SessionDelta retired = replica == null || !replica.live() ? null : replica.retired(services.clock(), id);
            return retired == null ? commits.sendUnsent(Coherence.COHERENT) : commits.send(retired, Coherence.COHERENT);
        });
    }

    /** Whether no other member was told of it. */
    boolean unshared() {
        StoredReplica stored = services.replicas().header(key);
        return stored != null && stored.unshared();
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
     * The same for an expiry: of a session from {@link ReplicatedSessions#expirable}, or one that a request found {@linkplain
     * #overdue overdue}. False, too, if it was used in the meantime, anywhere: then it goes on.
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
        return "LiveSession[" + key + " of " + services.application() + "]";
    }
}
