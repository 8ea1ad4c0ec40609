package io.understudy.cluster;

import io.understudy.audit.What;
import io.understudy.codec.Frame;
import io.understudy.codec.Frame.FindRequest;
import io.understudy.codec.Frame.Membership;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Request;
import io.understudy.codec.Frame.Update;
import io.understudy.config.Acks;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.store.ReplicaStore;
import io.understudy.store.StoredReplica;
import io.understudy.store.Tombstones;
import io.understudy.store.UnknownIds;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * The members that serve one application, seen from this one: publishes its changes, merges theirs, answers what they ask.
 *
 * <p>Threads: {@code prepare}, {@code touch} and {@code fetch} in request threads, the receiving methods on JGroups' and
 * SCOPE's threads; these never wait and never touch an application's class.
 */
public final class ApplicationGroup implements AutoCloseable {

    /** Tombstones that stay at most, for each application; about 100 MB. */
    private static final int MAX_TOMBSTONES = 500_000;

    /** How long a request may wait for a session to be fetched. */
    static final Duration FETCH_LIMIT = Duration.ofSeconds(2);

    private final ClusterChannel channel;
    private final String name;
    private final long number;
    private final ReplicaStore store;
    private final Reconciler reconciler;
    private final GapPulls gaps;
    private final Answers answers;
    private final Sides sides = new Sides();
    private final FirstUse firstUse;
    private final Proofs proofs;
    private final Joiner joiner;
    private final UnsentUses uses;
    private final UnsentBeginnings beginnings;
    private final UnreadableSessions unreadable;
    private final Neighbours neighbours;
    private final Ownership ownership;
    private final Unions unions;
    private final Restoration restoration;
    private final Incoming incoming;
    private final OwnChanges changes;
    private final ClusterExpiry expiry;
    private final Confirmation confirmation = new Confirmation();
    private volatile Phase phase = Phase.JOINING;
    private volatile String waitingFor = "the other members";
    private volatile long readySince = Long.MAX_VALUE;
    private volatile boolean deployed = true;

    /** Answers that came, and sessions that were taken. */
    private final LongAdder progress = new LongAdder();

    ApplicationGroup(ClusterChannel channel, String name) {
        this.channel = channel;
        this.name = name;
        this.number = ApplicationNumber.of(name);
        this.store = new ReplicaStore(
                channel.time(),
                new Tombstones(channel.config().tombstoneHorizon().toMillis(), MAX_TOMBSTONES),
                channel.memory());
        this.answers = new Answers(store, channel.time());
        this.unreadable = new UnreadableSessions(label(), channel.metrics());
        this.proofs = new Proofs(channel.members(), number);
        this.restoration = new Restoration(this, channel);
        this.reconciler = new Reconciler(this, channel.exchange());
        this.firstUse = new FirstUse(this, sides, reconciler);
        this.uses = new UnsentUses(channel, number);
        this.beginnings = new UnsentBeginnings(this, channel);
        this.neighbours = new Neighbours(this, channel, reconciler);
        this.unions = new Unions(this, channel);
        this.gaps = new GapPulls(this, channel, reconciler);
        this.ownership = new Ownership(this, channel);
        this.expiry = new ClusterExpiry(this, channel, gaps, ownership);
        this.incoming = new Incoming(this, channel, uses, gaps, unions);
        this.changes = new OwnChanges(this, channel, incoming);
        this.joiner = new Joiner(this, channel.members(), reconciler, channel.config(), channel.news());
    }

    long number() {
        return number;
    }

    public String name() {
        return name;
    }

    /** How log lines about this application on this node begin. */
    public String label() {
        return name + "@" + channel.config().nodeName();
    }

    public ReplicaStore store() {
        return store;
    }

    /** Ids for which the others need not be asked. */
    public UnknownIds unknownIds() {
        return store.unknownIds();
    }

    UnreadableSessions unreadable() {
        return unreadable;
    }

    Restoration restoration() {
        return restoration;
    }

    /** How the end of its sessions is agreed. */
    public ClusterExpiry expiry() {
        return expiry;
    }

    Joiner joiner() {
        return joiner;
    }

    /** Who has the sessions and shares no wire version with this member, if that keeps it from serving. */
    @Nullable
    String outsider() {
        return channel.versions().outsider(name);
    }

    /** Takes what other members send. */
    Incoming incoming() {
        return incoming;
    }

    /** Whether all that others tell of sessions is for the comparison at the end of joining. */
    boolean joining() {
        return phase == Phase.JOINING;
    }

    /** Whether this member holds all sessions of the application. */
    public boolean ready() {
        return phase == Phase.READY;
    }

    /** Whether the others take this member for one that serves requests of the application. */
    boolean serves() {
        return ready() && deployed;
    }

    /** A number that rises as long as sessions of others, or of an earlier run, come in. */
    long progress() {
        return progress.sum();
    }

    /** One did, or what there is to be told of others. */
    void progressed() {
        progress.increment();
    }

    /** What joining waits for. */
    public String waitingFor() {
        return waitingFor;
    }

    void waitingFor(String what) {
        waitingFor = what;
    }

    /**
     * Stops vouching for what is held here, as other members may have gone on without this one, until they have confirmed
     * it and all was compared.
     */
    void suspend(String reason) {
        waitingFor = "confirmation by the other members, because it " + reason;
        confirmation.begin(!channel.members().others(number, Phase.JOINING).isEmpty());
        if (phase == Phase.READY) {
            phase(Phase.COUNTED);
        }
        expiry.suspend();
        joiner.repair();
    }

    /** Whether comparing with nobody, as nobody is there, may end a suspension. */
    boolean mayBeAlone() {
        return confirmation.mayBeAlone();
    }

    /** Ends a suspension. */
    void confirm() {
        if (phase == Phase.COUNTED) {
            phase(Phase.READY);
        }
        confirmation.end();
    }

    /**
     * Holds a request while this node is suspended.
     *
     * @return whether the node may answer it
     */
    public boolean awaitConfirmed() {
        channel.checkPulse();
        return confirmation.await();
    }

    /** Whether the others may have gone on without this node. */
    public boolean suspended() {
        channel.checkPulse();
        return confirmation.awaited();
    }

    /** Announces to the other members whether the application runs here, or only its sessions are kept here. */
    public void deployed(boolean now) {
        if (deployed != now) {
            deployed = now;
            channel.announce();
        }
    }

    /** Another member has brought back what it held so long ago: it is as if it had been cut off since then. */
    void restored(long ageMillis) {
        store.tombstones().apart(now() - ageMillis);
        joiner.repair();
    }

    /** Somebody may have missed what this member said of itself last, or its answer was lost. */
    void announceAgain() {
        channel.announce();
    }

    Membership membership() {
        return new Membership(name, phase, deployed, restoration.pending());
    }

    void phase(Phase reached) {
        phase = reached;
        if (reached == Phase.READY && readySince == Long.MAX_VALUE) {
            readySince = now();
        }
        channel.announce();
    }

    /**
     * Merges a change here and gives it its place in the session's order: to be called in the order of its commits, under
     * the session's lock. Never waits. One that is merged, and gets no place, is sent within a {@code touchInterval}.
     *
     * @param ageMillis how long ago the session began
     * @param acks how many members' acknowledgements are asked for
     */
    public Outgoing prepare(SessionDelta delta, long ageMillis, Acks acks) {
        uses.sent(delta.key());
        beginnings.sent(delta.key());
        return changes.prepare(delta, ageMillis, acks);
    }

    /** Notes a use that changed nothing; it goes out with others when the interval is over. */
    public void touch(SessionKey key, Stamp lastUse) {
        if (!store.keep(SessionDelta.touched(key, lastUse)).after().unshared()) {
            uses.note(key, lastUse);
        }
    }

    /**
     * Merges what a request did to an unshared session, which stays unshared.
     *
     * @param announced whether the session is announced when the interval is over
     */
    public void keep(SessionDelta delta, boolean announced) {
        boolean askedFor = !store.keep(delta).after().unshared(); // Just now, by another member, which lacks this.
        if (announced || askedFor) {
            beginnings.note(delta.key());
        }
    }

    /**
     * Ends an unshared session, without announcing it.
     *
     * @return {@code false} if another member knows the session
     */
    public boolean forget(SessionKey key, What end) {
        StoredReplica stored = store.header(key);
        boolean forgotten = stored != null && store.forget(key);
        if (stored != null && forgotten) {
            beginnings.sent(key);
            expiry.notes().forgotten(stored.replica(), end);
        }
        return forgotten;
    }

    /** Whether the session is unshared, and not about to be announced. */
    public boolean untold(SessionKey key) {
        if (beginnings.noted(key)) {
            return false;
        }
        StoredReplica stored = store.header(key); // Afterwards: what is noted no more is shared.
        return stored != null && stored.unshared();
    }

    /**
     * Sends what was left, and what was noted to go together: first the sessions, as the uses may be theirs. What can't be
     * sent stays noted, and keeps nothing else.
     */
    void sendNoted() {
        changes.sendLeft();
        try {
            beginnings.send();
        } finally {
            uses.send();
        }
    }

    /**
     * Looks for a session that another member has not announced yet, on all ready members at once; 500 ms at most. It
     * does not wait for a member that owes an answer for so long.
     */
    public void findUnshared(String id) {
        neighbours.findUnshared(id);
    }

    /**
     * Looks a session up on the other members, for a member that is not ready; 2 seconds at most.
     *
     * @return whether this node now knows about the session: it was fetched, or a ready member has none with this id
     */
    public boolean fetch(String id) {
        return neighbours.fetch(id);
    }

    /** The view whose changes are all here, or passed on when they come. */
    long viewNumber() {
        return channel.viewNumber();
    }

    long now() {
        return channel.time().monotonicMillis();
    }

    /**
     * The view changed.
     *
     * @param others the sides it was merged of, but this member's own; none if it was not
     */
    void view(List<Address> members, List<Set<Address>> others) {
        proofs.view(members);
        long apart = channel.members().apartSince(number);
        if (apart != Departures.NONE && apart >= readySince) {
            store.tombstones().apart(apart);
        }
        sides.view(members);
        expiry.enter();
        if (ready()) {
            sides.merged(others);
        }
    }

    /**
     * This member holds all that {@code member} held.
     *
     * @param tombstonesBefore of which time {@code member} is proven to hold all tombstones that are here, if any
     */
    void compared(Address member, long tombstonesBefore) {
        proofs.compared(member, tombstonesBefore);
        sides.compared(member);
    }

    /** Takes away what is no longer needed. */
    void sweep() {
        proofs.tell(store.tombstones(), readySince);
        store.sweep();
        expiry.tick();
    }

    /**
     * After a merge of views, and until all was compared: compares the session that a request bears the id of with one
     * member of each other side, 2 seconds at most for each.
     *
     * @param mayWait asked if there is something to wait for
     * @return false if there is, and the request may not wait
     */
    public boolean compareFirst(String id, BooleanSupplier mayWait) {
        return firstUse.compare(id, mayWait);
    }

    /** Whether sessions must be {@linkplain #compareFirst compared first}. */
    public boolean comparesFirst() {
        return firstUse.compares();
    }

    /** Counts and logs a failure after which its thread goes on. */
    public void survived(String what, Throwable cause) {
        channel.failures().report(what, cause);
    }

    /** A request wants the lock of a session; to be {@linkplain #releaseLock released}, granted or not. */
    public LockClaim claimLock(SessionKey key) {
        return channel.claimLock(key);
    }

    /** Gives up a claim as soon as every member that counts holds this node's changes of the session. */
    public void releaseLock(SessionKey key, LockClaim claim) {
        channel.releaseLock(key, claim);
    }

    /** Brings a session up to date on a member that is not ready; a request may wait for it, 5 seconds at most. */
    public void catchUp(SessionKey key) {
        if (!ready()) {
            neighbours.pull(key);
        }
    }

    /**
     * Asks the other members for what this one lacks of a session, until {@code enough} holds or the time is over.
     *
     * @return whether all that are ready answered, or {@code enough} held before
     */
    public boolean catchUp(String id, BooleanSupplier enough, long nanos) {
        StoredReplica stored = store.header(id);
        return neighbours.catchUp(id, stored == null ? null : stored.replica().key(), enough, nanos);
    }

    /**
     * Whether this member expires the session: it used it last, or inherited it from a member that is gone or does not run
     * the application.
     */
    public boolean ownedHere(SessionReplica replica) {
        return ownership.here(replica);
    }

    /** A session as others take it over. */
    Update update(StoredReplica stored) {
        return answers.update(stored);
    }

    Frame answer(Request request) {
        if (request instanceof FindRequest find) {
            beginnings.askedFor(find.id());
        }
        Frame withheld = expiry.withheld(request);
        return withheld == null ? answers.to(request) : withheld;
    }

    /** Announces that this member no longer has the application, and leaves it. */
    @Override
    public void close() {
        Failures failures = channel.failures();
        failures.run("closing an application", joiner::stop);
        failures.run("closing an application", expiry::close);
        boolean unused = failures.insist("closing an application", this::sendNoted);
        failures.run("closing an application", () -> channel.leave(this));
        failures.run("closing an application", store::close);
    }
}
