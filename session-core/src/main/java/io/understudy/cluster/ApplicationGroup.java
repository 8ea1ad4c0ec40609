package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Ack;
import io.understudy.codec.Frame.Change;
import io.understudy.codec.Frame.Membership;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Refusal;
import io.understudy.codec.Frame.Request;
import io.understudy.codec.Frame.Touch;
import io.understudy.codec.Frame.Touches;
import io.understudy.codec.Frame.Update;
import io.understudy.config.Acks;
import io.understudy.metrics.Counter;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.store.Merged;
import io.understudy.store.ReplicaStore;
import io.understudy.store.StoredReplica;
import io.understudy.store.Tombstones;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;

/**
 * The members that serve one application, seen from this one: publishes its changes, merges theirs, and answers what they
 * ask.
 *
 * <p>Threads: {@code prepare}, {@code touch} and {@code fetch} in request threads, the receiving methods on JGroups' and
 * SCOPE's threads; these never wait and never touch an application's class.
 */
public final class ApplicationGroup implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ApplicationGroup.class.getName());

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
    private final Map<Address, Long> proven = new ConcurrentHashMap<>();
    private final Joiner joiner;
    private final UnsentUses uses;
    private final Restoration restoration;
    private final ClusterExpiry expiry;
    private final Confirmation confirmation = new Confirmation();
    private volatile Phase phase = Phase.JOINING;
    private volatile String waitingFor = "the other members";
    private volatile long readySince = Long.MAX_VALUE;
    private volatile boolean deployed = true;

    ApplicationGroup(ClusterChannel channel, String name) {
        this.channel = channel;
        this.name = name;
        this.number = ApplicationNumber.of(name);
        this.store = new ReplicaStore(
                channel.time(),
                new Tombstones(channel.config().tombstoneHorizon().toMillis(), MAX_TOMBSTONES),
                channel.memory());
        this.answers = new Answers(store, channel.time());
        this.restoration = new Restoration(this, channel);
        this.reconciler = new Reconciler(this, channel.exchange());
        this.firstUse = new FirstUse(this, sides, reconciler);
        this.uses = new UnsentUses(channel, number);
        this.gaps = new GapPulls(this, channel, reconciler);
        this.expiry = new ClusterExpiry(this, channel, gaps);
        this.joiner = new Joiner(this, channel.members(), reconciler, channel.config());
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

    /** Whether this member holds all sessions of the application. */
    public boolean ready() {
        return phase == Phase.READY;
    }

    /** Whether the others take this member for one that serves requests of the application. */
    boolean serves() {
        return ready() && deployed;
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
        waitingFor = "confirmation by the other members, as it " + reason;
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

    /** Tells the other members whether the application runs here, or only its sessions are kept here. */
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
     * the session's lock. Never waits.
     *
     * @param ageMillis how long ago the session began
     * @param acks how many members' acknowledgements are asked for
     */
    public Outgoing prepare(SessionDelta delta, long ageMillis, Acks acks) {
        uses.sent(delta.key());
        expiry.merged(merge(new Update(ageMillis, 0, delta)), channel.self());
        return new Outgoing(channel.publish(number, delta, ageMillis, acks));
    }

    /** Notes a use that changed nothing; it goes out with others when the interval is over. */
    public void touch(SessionKey key, Stamp lastUse) {
        store.merge(SessionDelta.touched(key, lastUse), 0, 0);
        uses.note(key, lastUse);
    }

    void sendTouches() {
        uses.send();
    }

    /**
     * Looks a session up on the other members, for a member that is not ready.
     *
     * @return whether this node now knows about the session: it was fetched, or a ready member has none with this id
     */
    public boolean fetch(String id) {
        for (Address member : channel.members().others(number, Phase.READY)) {
            try {
                if (reconciler.find(member, id, FETCH_LIMIT)) {
                    channel.metrics().count(Counter.SESSIONS_FETCHED);
                }
                return true;
            } catch (NoAnswerException e) {
                waitingFor = e.reason();
            }
        }
        return ready();
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
        proven.keySet().retainAll(members);
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
        if (tombstonesBefore != Departures.NONE) {
            proven.put(member, tombstonesBefore);
        }
        sides.compared(member);
    }

    /** Takes away what is no longer needed. */
    void sweep() {
        long provenBefore = Long.MAX_VALUE;
        for (Address member : channel.members().others(number, Phase.JOINING)) {
            provenBefore = Math.min(provenBefore, proven.getOrDefault(member, Long.MIN_VALUE));
        }
        store.tombstones()
                .settled(provenBefore, Math.max(readySince, channel.members().lastMissing(number)));
        store.sweep();
        expiry.tick();
    }

    /**
     * After a merge of views, and until all was compared: compares the session that a request bears the id of with one
     * member of each other side, 2 seconds at most for each.
     */
    public void compareFirst(String id) {
        firstUse.compare(id);
    }

    /** A request wants the lock of a session; to be {@linkplain #releaseLock released}, granted or not. */
    public LockClaim claimLock(SessionKey key) {
        return channel.claimLock(key);
    }

    /** Gives up a claim as soon as every member that counts holds this node's changes of the session. */
    public void releaseLock(SessionKey key, LockClaim claim) {
        channel.releaseLock(key, claim);
    }

    /**
     * Brings a session up to date on a member that is not ready: others do not wait for its acknowledgements. A request
     * may wait for it, 5 seconds per member asked.
     */
    public void catchUp(SessionKey key) {
        for (Address member : ready() ? List.<Address>of() : channel.members().others(number, Phase.READY)) {
            try {
                reconciler.pull(member, List.of(key));
                return;
            } catch (NoAnswerException e) {
                waitingFor = e.reason();
            }
        }
    }

    /**
     * Whether this member expires the session: it used it last, or inherited it from a member that is gone or does not run
     * the application.
     */
    public boolean ownedHere(SessionReplica replica) {
        Stamp lastUse = replica.lastUse();
        if (lastUse == null || suspended() || !ready()) {
            return false;
        }
        if (lastUse.origin() == channel.clock().origin()) {
            return true;
        }
        if (channel.members().runs(lastUse.origin(), number)) {
            return false;
        }
        List<Address> candidates = new ArrayList<>(channel.members().serving(number));
        candidates.add(channel.self());
        return Rendezvous.of(replica.key(), candidates).equals(channel.self());
    }

    /** A change of another member arrived, in its turn, or after one that may never come. */
    void received(Address sender, ScopeHeader place, Change change) {
        long changeNumber = place.number();
        Update update = change.update();
        if (place.afterGap() && phase != Phase.JOINING) { // Who joins compares every session later on.
            gaps.close(update.delta().key(), sender);
        }
        Merged merged = merge(update);
        expiry.merged(merged, sender);
        boolean parked = merged.after().replica().parked();
        if (parked && phase != Phase.JOINING) {
            channel.asking(
                    () -> fetchParked(sender, changeNumber, update.delta().key()));
        } else {
            channel.acks().gather(sender, new Ack(changeNumber, parked));
        }
    }

    /** A large change of which parts are missing: its sender has the session. */
    void receivedInPart(Address sender, ScopeHeader place, SessionKey key) {
        if (phase == Phase.JOINING) {
            channel.acks().gather(sender, new Ack(place.number(), true));
        } else {
            channel.asking(() -> fetchParked(sender, place.number(), key));
        }
    }

    /** An update of a session this member has never seen whole: its sender has it. */
    private void fetchParked(Address sender, long changeNumber, SessionKey key) {
        boolean pulled = false;
        try {
            pulled = reconciler.pull(sender, List.of(key)) > 0;
        } catch (NoAnswerException e) {
            waitingFor = e.reason();
        }
        StoredReplica stored = store.header(key);
        boolean holds = pulled && stored != null && !stored.replica().parked();
        channel.acks().ack(sender, new Ack(changeNumber, !holds));
    }

    void received(Address sender, Touches received) {
        List<SessionKey> incomplete = new ArrayList<>();
        for (Touch touch : received.touches()) {
            channel.clock().observe(touch.lastUse().time());
            if (store.use(touch.key(), touch.lastUse(), touch.idleMillis()).incomplete()) {
                incomplete.add(touch.key());
            }
        }
        if (!incomplete.isEmpty() && phase != Phase.JOINING) {
            incomplete.forEach(key -> gaps.close(key, sender));
        }
    }

    /** A session pulled from another member. */
    void merged(Update update) {
        channel.metrics().count(Counter.SESSIONS_PULLED);
        taken(update);
    }

    /** A session as another member, or this one at an earlier time, holds it. */
    void taken(Update update) {
        observe(update.delta());
        followed(update.delta(), store.pulled(update.delta(), update.ageMillis(), update.idleMillis()));
    }

    private Merged merge(Update update) {
        observe(update.delta());
        return followed(update.delta(), store.merge(update.delta(), update.ageMillis(), update.idleMillis()));
    }

    private void observe(SessionDelta delta) {
        if (delta.lastUse() != null) {
            channel.clock().observe(delta.lastUse().time());
        }
    }

    /** Does what a merge asks for; nothing of it waits. */
    private Merged followed(SessionDelta delta, Merged merged) {
        if (delta.ended()) {
            expiry.settled(delta.key());
        }
        if (merged.conflicts() > 0) {
            channel.metrics().count(Counter.STAMPS_SHARED, merged.conflicts());
        }
        SessionReplica replica = merged.after().replica();
        if (merged.refused()) {
            channel.metrics().count(Counter.SESSIONS_REFUSED);
            channel.asking(() -> publish(List.of(SessionDelta.invalidated(replica.key()))));
        }
        Stamp lastUse = replica.lastUse();
        if (merged.yielded() && lastUse != null) {
            uses.repeat(replica.key(), lastUse, merged.after().usedAt());
        }
        if (merged.revived()) {
            gaps.revived(replica.key());
        }
        for (String id : merged.shared()) {
            channel.asking(() -> unite(id));
        }
        return merged;
    }

    private void unite(String id) {
        List<SessionDelta> deltas = store.united(id);
        if (!deltas.isEmpty()) {
            channel.metrics().count(Counter.SESSIONS_UNITED, deltas.size() / 2);
            LOG.log(
                    Level.WARNING,
                    "{0} - {1} sessions have one id: the one created first takes over what the others hold",
                    label(),
                    deltas.size() / 2 + 1);
            publish(deltas);
        }
    }

    private void publish(List<SessionDelta> deltas) {
        for (SessionDelta delta : deltas) {
            StoredReplica stored = store.header(delta.key());
            prepare(delta, stored == null ? 0 : Math.max(0, now() - stored.createdAt()), Acks.ALL);
        }
    }

    /** A session as others take it over. */
    Update update(StoredReplica stored) {
        return answers.update(stored);
    }

    Frame answer(Request request) {
        return expiry.withholds(request) ? new Refusal(request.request()) : answers.to(request);
    }

    /** Says goodbye for this application. */
    @Override
    public void close() {
        joiner.stop();
        expiry.close();
        channel.leave(this);
        store.close();
    }
}
