package io.understudy.cluster;

import io.understudy.audit.AuditEvent;
import io.understudy.cluster.convergence.GapPulls;
import io.understudy.cluster.convergence.ReconcileResponder;
import io.understudy.cluster.convergence.Reconciler;
import io.understudy.cluster.convergence.TombstoneAcks;
import io.understudy.cluster.convergence.UnreadableSessions;
import io.understudy.cluster.delivery.AtRisk;
import io.understudy.cluster.delivery.PendingAck;
import io.understudy.cluster.expiry.ClusterExpiry;
import io.understudy.cluster.expiry.ExpiryAudit;
import io.understudy.cluster.expiry.Ownership;
import io.understudy.cluster.joining.FirstUseCheck;
import io.understudy.cluster.joining.Joiner;
import io.understudy.cluster.joining.PartitionSides;
import io.understudy.cluster.joining.SessionFetch;
import io.understudy.cluster.locking.ClusterLocks;
import io.understudy.cluster.locking.LockClaim;
import io.understudy.cluster.membership.DepartedMembers;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.restart.OrderlyLeave;
import io.understudy.cluster.restart.SessionRestore;
import io.understudy.config.session.Acks;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.store.ReplicaStore;
import io.understudy.store.StoredReplica;
import io.understudy.store.Tombstones;
import io.understudy.store.UnknownIds;
import io.understudy.threads.ChannelThreads;
import io.understudy.threads.Failures;
import io.understudy.threads.Steps;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Request;
import io.understudy.wire.Frame.Update;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jgroups.Address;

/**
 * The members that serve one application, seen from this one: publishes its changes, merges theirs, answers what they ask.
 *
 * <p>Threads: {@code prepare}, {@code touch} and {@code fetch} in request threads, the receiving methods on JGroups' and
 * SCOPE's threads; these never wait and never touch an application's class.
 */
public final class ApplicationGroup implements AutoCloseable {

    /** Tombstones that stay at most, for each application; about 100 MB. */
    private static final int MAX_TOMBSTONES = 500_000;

    private final Steps closing;
    private final Members members;
    private final ClusterLocks locks;
    private final AtRisk atRisk;
    private final ChannelThreads threads;
    private final Failures failures;
    private final LocalApplication application;
    private final ReplicaStore store;
    private final Reconciler reconciler;
    private final ReconcileResponder answers;
    private final PartitionSides sides = new PartitionSides();
    private final FirstUseCheck firstUse;
    private final TombstoneAcks proofs;
    private final Joiner joiner;
    private final PendingTouches uses;
    private final PendingAnnouncements beginnings;
    private final SessionFetch neighbours;
    private final Ownership ownership;
    private final SessionRestore restoration;
    private final DeltaReceiver incoming;
    private final OwnChanges changes;
    private final ExpiryAudit audit;
    private final ClusterExpiry expiry;

    /** @param leave announces that this member no longer has the application, and waits until the others know */
    ApplicationGroup(ClusterServices node, String name, Consumer<ApplicationGroup> leave) {
        this.members = node.members();
        this.locks = node.locks();
        this.atRisk = node.atRisk();
        this.threads = node.threads();
        this.failures = node.failures();
        this.store = new ReplicaStore(
                node.time(),
                new Tombstones(node.config().tombstoneHorizon().toMillis(), MAX_TOMBSTONES),
                node.memory());
        this.application = new LocalApplication(
                name, node.config().nodeName(), store, node.time(), node.announcements()::announce, node.checkPulse());
        ReplicationMetrics metrics = node.metrics();
        UnreadableSessions unreadable = new UnreadableSessions(application.label(), metrics);
        this.answers = new ReconcileResponder(store, node.time());
        this.proofs = new TombstoneAcks(members, application.number());
        this.restoration =
                new SessionRestore(application, node.kept(), node.letters(), answers, unreadable, metrics, this::taken);
        this.reconciler = new Reconciler(
                application, node.exchange(), unreadable, this::pulled, this::compared, node.views()::number);
        this.firstUse = new FirstUseCheck(application, members, sides, reconciler);
        this.uses = new PendingTouches(node.letters(), metrics, node.time(), application.number());
        this.neighbours = new SessionFetch(application, members, node.exchange(), reconciler, metrics, this::pulled);
        ConflictRepair unions = new ConflictRepair(application, members, threads, metrics, this::change);
        GapPulls gaps = new GapPulls(application, members, node.acks(), threads, reconciler);
        this.ownership = new Ownership(application, members, node.clock());
        this.audit = new ExpiryAudit(store, members, node.time());
        this.expiry = new ClusterExpiry(
                application,
                members,
                node.letters(),
                gaps,
                ownership,
                audit,
                node.clock(),
                metrics,
                failures,
                node.config().touchInterval());
        this.beginnings = new PendingAnnouncements(application, node.letters(), answers, metrics, expiry::claimed);
        this.incoming = new DeltaReceiver(
                application, uses, gaps, unions, expiry, audit, node.acks(), node.clock(), metrics, threads);
        this.changes = new OwnChanges(application, incoming, audit, members, node.outbox(), atRisk, failures);
        this.joiner = new Joiner(
                application, members, node.versions(), reconciler, restoration, failures, node.config(), node.news());
        this.closing = new Steps(
                "closing an application",
                failures,
                this::stopJoining,
                expiry::close,
                this::sendNoted,
                () -> leave.accept(this),
                store::close);
    }

    LocalApplication application() {
        return application;
    }

    long number() {
        return application.number();
    }

    public String name() {
        return application.name();
    }

    /** How log lines about this application on this node begin. */
    public String label() {
        return application.label();
    }

    public ReplicaStore store() {
        return store;
    }

    /** Ids for which the others need not be asked. */
    public UnknownIds unknownIds() {
        return store.unknownIds();
    }

    /** How the end of its sessions is agreed. */
    public ClusterExpiry expiry() {
        return expiry;
    }

    Joiner joiner() {
        return joiner;
    }

    /** Neither joins nor brings back what was kept any more. */
    void stopJoining() {
        joiner.stop();
        restoration.stop();
    }

    /** Whether its sessions may be lost with this member. */
    boolean keeps() {
        return application.keeps();
    }

    /** What is needed to keep its sessions over a stop of all members. */
    OrderlyLeave.Stopping stopping() {
        return new OrderlyLeave.Held(application, reconciler, restoration);
    }

    /** Takes what other members send. */
    DeltaReceiver incoming() {
        return incoming;
    }

    private void taken(Update update) {
        incoming.mergePulled(update);
    }

    private void pulled(Update update) {
        incoming.pulled(update);
    }

    /** A change that no request of this node makes. */
    private void change(SessionDelta delta, long ageMillis) {
        prepare(delta, ageMillis, Acks.ALL);
    }

    /** Whether this member holds all sessions of the application. */
    public boolean ready() {
        return application.ready();
    }

    /** What joining waits for. */
    public String waitingFor() {
        return application.waitingFor();
    }

    /**
     * Stops vouching for what is held here, as other members may have gone on without this one, until they have confirmed
     * it and all was compared.
     */
    void suspend(String reason) {
        application.suspend(
                reason, !members.others(application.number(), Phase.JOINING).isEmpty());
        expiry.suspend();
        joiner.repair();
    }

    /** Holds a request that may wait while this node is suspended, 5 s at most; whether the node may answer it. */
    public boolean awaitConfirmed(BooleanSupplier mayWait) {
        return application.awaitConfirmed(mayWait);
    }

    /** Whether the others may have gone on without this node. */
    public boolean suspended() {
        return application.suspended();
    }

    /** Announces to the other members whether the application runs here, or only its sessions are kept here. */
    public void deployed(boolean now) {
        application.deployed(now);
    }

    /** Another member has brought back what it held so long ago: it is as if it had been cut off since then. */
    void restored(long ageMillis) {
        store.tombstones().apart(application.now() - ageMillis);
        joiner.repair();
    }

    Membership membership() {
        return application.membership(restoration.pending());
    }

    /**
     * Merges a change here and gives it its place in the session's order: to be called in the order of its commits, under
     * the session's lock. Never waits. One that is merged, and gets no place, is sent within a {@code touchInterval}.
     *
     * @param ageMillis how long ago the session began
     * @param acks how many members' acknowledgements are asked for
     */
    public PendingAck prepare(SessionDelta delta, long ageMillis, Acks acks) {
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

    /** Ends an unshared session, without announcing it; {@code false} if another member knows it. */
    public boolean forget(SessionKey key, AuditEvent end) {
        StoredReplica stored = store.header(key);
        boolean forgotten = stored != null && store.forget(key);
        if (stored != null && forgotten) {
            beginnings.sent(key);
            audit.forgotten(stored.replica(), end);
        }
        return forgotten;
    }

    /** Whether the session is unshared, and not about to be announced. */
    public boolean unshared(SessionKey key) {
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
     * Looks for a session that another member has not announced yet, on all ready members at once; 500 ms at most, by the
     * node's clock. It does not wait for a member that owes an answer for so long.
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

    /**
     * The view changed.
     *
     * @param others the sides it was merged of, but this member's own; none if it was not
     */
    void view(List<Address> present, List<Set<Address>> others) {
        proofs.view(present);
        long apart = members.apartSince(application.number());
        if (apart != DepartedMembers.NONE && apart >= application.readySince()) {
            store.tombstones().apart(apart);
        }
        sides.view(present);
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
    private void compared(Address member, long tombstonesBefore) {
        proofs.compared(member, tombstonesBefore);
        sides.compared(member);
    }

    /** Takes away what is no longer needed. */
    void sweep() {
        proofs.tell(store.tombstones(), application.readySince());
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
        failures.report(what, cause);
    }

    /** A request wants the lock of a session; to be {@linkplain #releaseLock released}, granted or not. */
    public LockClaim claimLock(SessionKey key) {
        return locks.claim(key);
    }

    /** Whether no other request of this node holds the lock, or waits for it. */
    public boolean isOnlyClaim(LockClaim claim) {
        return locks.isOnly(claim);
    }

    /** Gives up a claim as soon as every member that counts holds this node's changes of the session, which go at once. */
    public void releaseLock(SessionKey key, LockClaim claim) {
        changes.hurry();
        locks.releaseAfterwards(claim, key, atRisk, threads);
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
        closing.take();
    }
}
