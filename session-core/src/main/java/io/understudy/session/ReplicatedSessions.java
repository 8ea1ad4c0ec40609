package io.understudy.session;

import io.understudy.audit.AuditRing;
import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ClusterChannel;
import io.understudy.codec.WireText;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.EmptySessions;
import io.understudy.config.session.EndEvents;
import io.understudy.doctor.SessionDoctor;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.attributes.AttributeServices;
import io.understudy.session.expiry.EndableSessions;
import io.understudy.session.expiry.EndsElsewhere;
import io.understudy.session.expiry.ExpirableSessions;
import io.understudy.session.expiry.ExpiringSessions;
import io.understudy.session.expiry.ExpiryCoordinator;
import io.understudy.session.failures.Warnings;
import io.understudy.session.lock.SessionLock;
import io.understudy.session.lock.SessionLocks;
import io.understudy.session.replicas.SessionReplicas;
import io.understudy.session.requests.LookUps;
import io.understudy.session.requests.RefetchedSessions;
import io.understudy.session.requests.RequestsInFlight;
import io.understudy.session.requests.Servers;
import io.understudy.session.requests.VersionCookies;
import io.understudy.session.requests.WaitLimit;
import io.understudy.store.StoredReplica;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One application's sessions on one node: what a container's session manager talks to.
 *
 * <p>Threads: any. Only {@link #admit} and {@link #lock} wait for the network; the rest answers from this node's
 * replicas, unless its disk fails while a request runs.
 */
public final class ReplicatedSessions implements AutoCloseable {

    private final UnderstudyConfig config;
    private final HybridClock clock;
    private final ApplicationGroup group;
    private final ApplicationAttributes attributes;
    private final Runnable onClose;
    private final LiveSessions live = new LiveSessions();
    private final Consumer<SessionKey> spilled = live::spilled;
    private final IdleSessions idle;
    private final SessionServices services;
    private final ExpirableSessions expirable;
    private final ExpiringSessions<LiveSession> expiring;
    private final EndsElsewhere<LiveSession> endsElsewhere;
    private final LookUps lookUps;
    private final ArrivingRequests arriving;
    private final SessionLocks locks;
    private final Servers servers;
    private volatile BooleanSupplier accepts = () -> true;
    private volatile ToLongFunction<LiveSession> tickets = session -> 0;
    private final SecureRandom random = new SecureRandom();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Internal: the node makes it when an application joins.
     *
     * @param config the node's settings, with the application's own
     * @param waits how many requests of the node may wait at once
     * @param servers those of the node's applications
     * @param onClose leaves the application; called once, when all else is closed
     */
    public ReplicatedSessions(
            UnderstudyConfig config,
            ClusterChannel channel,
            ApplicationGroup group,
            ReplicationMetrics metrics,
            TimeSource time,
            ApplicationAttributes attributes,
            RequestsInFlight requests,
            WaitLimit waits,
            Servers servers,
            Runnable onClose) {
        this.config = config;
        this.servers = servers;
        this.clock = channel.clock();
        this.group = group;
        this.attributes = attributes;
        this.onClose = onClose;
        EndableSessions<LiveSession> ends = new LiveEndings(live, this::live);
        ExpiryCoordinator<LiveSession> endings =
                new ExpiryCoordinator<>(group.expiry(), ends, waits, config.ackTimeout());
        VersionCookies versions =
                new VersionCookies(group, metrics, config.application().versionCookie(), clock.origin());
        this.expirable = new ExpirableSessions(group, channel.memory(), time);
        this.expiring = new ExpiringSessions<>(group, endings, expirable, ends);
        this.endsElsewhere = new EndsElsewhere<>(group, metrics, ends);
        this.lookUps = new LookUps(group, metrics, config.memory().emptySessions() == EmptySessions.REPLICATE);
        this.locks =
                new SessionLocks(group, metrics, waits, config.application().lock(), live::locked);
        this.idle = new IdleSessions(time, channel.memory());
        RefetchedSessions refetched = new RefetchedSessions(group, time, waits);
        this.arriving = new ArrivingRequests(group, waits, lookUps, refetched, versions, endings);
        CommitOutcomes outcomes = new CommitOutcomes(config, channel::mode, channel::hurry, metrics);
        this.services = new SessionServices(
                config,
                group.name(),
                time,
                clock,
                metrics,
                new SessionReplicas(config, group, channel.memory(), outcomes::waits, time, clock.origin()),
                new AttributeServices(
                        attributes,
                        new Warnings(),
                        clock,
                        time,
                        metrics,
                        config.memory().maxSessionBytes(),
                        config.application().onNotReplicable()),
                attributes.doctor(),
                outcomes,
                refetched,
                requests,
                idle,
                endings,
                endsElsewhere,
                versions,
                session -> tickets.applyAsLong(session));
        group.expiry().addUsageCheck(live);
        group.store().onSpill(spilled);
    }

    /** The application's name. */
    public String application() {
        return group.name();
    }

    /** The node's settings, with the application's own. */
    public UnderstudyConfig config() {
        return config;
    }

    /** What its live sessions use; for tests, too. */
    SessionServices services() {
        return services;
    }

    /**
     * Prepares a look-up by the id of a request. Call it before the container's own look-up, outside every lock and map
     * computation. How long it waits:
     *
     * <ul>
     * <li>A node that holds all sessions answers at once.
     * <li>A node that is still joining fetches the session, 2 seconds at most.
     * <li>A node that stood still waits for the others' confirmation, 5 seconds at most.
     * <li>A node that was apart from others first compares the session with one of them, 2 seconds at most for each
     * side.
     * <li>If the session is about to end somewhere, it waits until that is decided, {@code ackTimeout} at most. It does
     * not wait for a session that is {@linkplain LiveSession#overdue overdue}, which no request can use any more.
     * <li>A session that this node can't read from its disk is fetched from another member, 2 seconds at most.
     * </ul>
     *
     * <p>While {@code maxWaitingRequests} wait on this node, a request that would have to wait is {@link
     * Admission#UNAVAILABLE} at once.
     */
    public Admission admit(String id) {
        return admit(id, List.of());
    }

    /**
     * The same for a request that bears version cookies: if the client has seen changes of the session that this node
     * lacks, it waits for them, {@code versionCookieWait} at most.
     *
     * @param versions the values of all cookies that {@link io.understudy.config.session.VersionCookieConfig#names}
     *     accepts; the node ignores forged ones, and those of other sessions
     */
    public Admission admit(String id, Collection<String> versions) {
        return arriving.admit(id, versions);
    }

    /**
     * The same for an id beyond the first few of a request. The node does not query other members for it, so a single
     * request costs the cluster few queries.
     */
    public Admission admitUnasked(String id) {
        if (contains(id)) {
            return admit(id);
        }
        return group.ready() ? Admission.PROCEED : Admission.UNAVAILABLE;
    }

    /** Whether {@link #admit} would let a request go on at once; false if that is not known. */
    public boolean admitsAtOnce(String id) {
        return arriving.atOnce(id) != null;
    }

    /** Whether the session is one of this deployment. A long request may still use one of an earlier deployment. */
    public boolean has(LiveSession session) {
        return session.objects().countedIn(idle);
    }

    /** Whether this node holds all sessions of the application that were announced. */
    public boolean ready() {
        return group.ready();
    }

    /**
     * Takes note of a failure that a request goes on after, in the container's part: it is counted, and each cause
     * logged once. Does not fail.
     *
     * @param what could not be done, for the log
     */
    public void survived(String what, Throwable cause) {
        group.survived(what, cause);
    }

    /**
     * A new session. The others learn of it by its first {@link LiveSession#commit}.
     *
     * @param id what the cookie will hold, without any route suffix
     * @param maxInactiveSeconds idle time after which it expires; 0 or less is never
     * @throws IllegalArgumentException if other members could not read the id: it holds half of a surrogate pair
     */
    public LiveSession create(String id, int maxInactiveSeconds) {
        WireText.require("a session id", id);
        Stamp now = clock.next();
        SessionDelta state = SessionDelta.created(new SessionKey(random.nextLong()), now, id, maxInactiveSeconds);
        StoredReplica stored = group.store().create(state);
        return live.of(services, stored, false);
    }

    /**
     * The session with this id, or {@code null} if there is none, it is over, or a node is about to expire it. The
     * same object for as long as somebody holds it. Attributes stay encoded until they are read.
     */
    public @Nullable LiveSession find(String id) {
        StoredReplica stored = group.store().find(id);
        return stored == null || group.expiry().hides(stored.replica().key()) ? null : live(stored);
    }

    /** The same, if a request may have it at once, without {@link #admit}; {@code null} if that is not known. */
    public @Nullable LiveSession findAtOnce(String id) {
        StoredReplica stored = arriving.atOnce(id);
        LiveSession found =
                stored == null || group.expiry().hides(stored.replica().key()) ? null : live(stored);
        return stored == null || found == null || found.times().overdue(stored) ? null : found;
    }

    private LiveSession live(StoredReplica stored) {
        return live.of(services, stored, true);
    }

    /**
     * Sets how to find the request for which the calling thread works.
     *
     * @param tickets gives, for a session, the ticket that the thread's request got from {@link LiveSession#enter}; 0
     *     if it has none, or the thread works for no request that is known
     */
    public void bindRequests(ToLongFunction<LiveSession> tickets) {
        this.tickets = tickets;
    }

    /**
     * The node is not ready for load balancers before the container accepts requests. Called once, after the join.
     *
     * @param server whether it accepts them; asked often, must not wait
     */
    public void servedBy(BooleanSupplier server) {
        accepts = server;
        servers.add(server);
    }

    /**
     * Lets the container drop its object of a session that no request uses, where {@code maxMemory} leaves no room
     * for it.
     *
     * @param drop false if the container keeps it, as it has what no replica has; must not wait for a lock
     */
    public void objectsGoBy(Predicate<LiveSession> drop) {
        idle.dropBy(drop);
    }

    /** Whether there is a session with this id that is not over, though {@link #find} may find it no more. */
    public boolean contains(String id) {
        return lookUps.here(id);
    }

    /** The sessions that this node is the owner of: each of the cluster's is one node's. A snapshot. */
    public List<LiveSession> ownedSessions() {
        return group.store().stream()
                .filter(stored -> stored.replica().live() && group.ownedHere(stored.replica()))
                .map(this::live)
                .toList();
    }

    /** The ids of all sessions this node holds, its own and its peers'. A snapshot. */
    public Collection<String> ids() {
        return group.store().ids();
    }

    /** Whether a session was idle for more than this share of the time after which it expires; no use of it. */
    public boolean idleBeyond(String id, double share) {
        return expirable.idleBeyond(id, share);
    }

    /**
     * The sessions that this node, and no other, has to end now, 256 at most:
     *
     * <ul>
     * <li>sessions that were idle for too long, and that this node used last or inherited from a member that is gone;
     * <li>sessions that a member which is gone was about to end;
     * <li>above {@code maxMemory}, the least recently used sessions without attributes that no other member knows.
     * </ul>
     *
     * <p>All other members that have the application have voted not to use these sessions, and {@link #find} does not
     * find them any more. For each, call {@link LiveSession#beginExpiry}. If that returns true, run the listeners and
     * then call {@link LiveSession#expire}. The next call returns sessions again whose end was {@linkplain
     * LiveSession#abandonEnd given up} or never begun.
     *
     * <p>Also lets go of objects where there is no room for them. It commits what threads of no request may have
     * changed in place, and once more the values that could not be encoded for the moment.
     *
     * <p>Threads: one at a time, as it runs classes of the application. Waits for the others' votes, 2 seconds at most.
     * A session that is not decided by then is not due yet.
     */
    public List<LiveSession> expirable() {
        idle.letGo();
        List<LiveSession> due = expiring.expirable();
        tryAgain();
        return due;
    }

    /**
     * Ends all sessions that are {@linkplain #expirable due}, up to 8 at once, in threads of this node. A listener that
     * takes long holds up one of these threads. If this node dies, other nodes call their listeners again for some
     * sessions: those whose listeners run, or whose end is not acknowledged. These are fewer than 32, and those that
     * requests end (gauge {@code ends_at_risk}). Lets go of objects and commits as {@link #expirable} does, in the
     * calling thread.
     *
     * <p>Threads: one at a time, as it runs classes of the application. Returns when all are over, or after about 3
     * seconds. Then the rest goes on, and calls meanwhile end nothing.
     *
     * @param end does for one session what {@link #expirable} asks for; called with the class loader of this library
     */
    public void expire(Consumer<LiveSession> end) {
        idle.letGo();
        expiring.expire(end);
        tryAgain();
    }

    private void tryAgain() {
        idle.tryAgain(e -> survived("encoding values that were put off; the node tries again", e));
    }

    /**
     * With {@code endEvents = everywhere}: calls listeners here when a session ends on another node, if a request
     * used it on this one. Otherwise it does nothing.
     *
     * @param call calls the listeners of one session as if it ended here, and ends nothing. Up to 4 threads of this
     *     node call it at once, with the class loader of this library. Meanwhile the session is {@link
     *     LiveSession#endedElsewhere}
     */
    public void endsElsewhere(Consumer<LiveSession> call) {
        if (config.application().endEvents() == EndEvents.EVERYWHERE) {
            endsElsewhere.toldBy(call);
        }
    }

    /** Gives the session doctor the values of the servlet context's attributes. It asks for them in request threads. */
    public void contextAttributes(Supplier<? extends Collection<?>> values) {
        SessionDoctor doctor = services.doctor();
        if (doctor != null && config.application().endEvents() == EndEvents.ONCE) {
            doctor.endsOnce(values);
        }
    }

    /**
     * Ends one session, which a request found {@linkplain LiveSession#overdue overdue}, in these threads. Does not
     * wait.
     */
    public void expireSoon(LiveSession session, Consumer<LiveSession> end) {
        expiring.expireSoon(session, end);
    }

    /**
     * What happened to the application's sessions on this node, or was reported to it: the member that ended them, the
     * members that voted, and what was repeated as a member was gone. To count how often listeners were called: a node
     * records {@code FIRED} or {@code FIRED_AGAIN} just before it calls them, once for each time.
     */
    public AuditRing audit() {
        return group.expiry().audit();
    }

    /**
     * Waits for the lock of the session with this id, {@code lockTimeout} at most, and for all changes that were made
     * under the lock before. Call it after {@link #admit}, and before the session is looked up and {@linkplain
     * LiveSession#enter entered}: the holder of the lock then finds the newest state. Not reentrant: a request takes it
     * once. While {@code maxWaitingRequests} wait on this node, a request that would have to wait is handled at once as
     * if its time was over.
     *
     * @return to be closed at the end of the request, after {@link LiveSession#exit}; without effect if no session has
     *     the id
     */
    public SessionLock lock(String id) {
        return locks.take(id);
    }

    /**
     * Whether requests to a path take the session's lock.
     *
     * @param path within the application, beginning with a slash
     */
    public boolean locks(String path) {
        return config.application().lock().takenBy(path);
    }

    /**
     * Lets go of the application's classes. With its last user gone the node goes on holding and acknowledging the
     * application's sessions for {@code retainUndeployed}, without expiring any; then its replicas here are dropped.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try {
            expiring.close();
            endsElsewhere.close();
            group.expiry().pause();
            group.expiry().removeUsageCheck(live);
            group.store().notOnSpill(spilled);
            live.clear();
            idle.close();
            attributes.close();
        } finally {
            servers.remove(accepts);
            onClose.run(); // The next deployment waits for that.
        }
    }
}
