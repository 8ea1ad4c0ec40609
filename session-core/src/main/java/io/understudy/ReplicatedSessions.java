package io.understudy;

import io.understudy.Commit.Outcome;
import io.understudy.Endings.Due;
import io.understudy.audit.AuditRing;
import io.understudy.audit.What;
import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ClusterChannel;
import io.understudy.cluster.Held;
import io.understudy.cluster.LockClaim;
import io.understudy.cluster.Outgoing;
import io.understudy.codec.AttributeCodec;
import io.understudy.config.Coherence;
import io.understudy.config.EmptySessions;
import io.understudy.config.UnderstudyConfig;
import io.understudy.doctor.SessionDoctor;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import io.understudy.store.StoredReplica;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One application's sessions on one node: what a container's session manager talks to.
 *
 * <p>Threads: any. Only {@link #arrive} and {@link #lock} wait for the network; the rest answers from this node's replicas.
 */
public final class ReplicatedSessions implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ReplicatedSessions.class.getName());

    /** How many different attributes are named in warnings; all are counted. */
    private static final int MAX_NAMED = 1000;

    private final UnderstudyConfig config;
    private final ClusterChannel channel;
    private final ApplicationGroup group;
    private final ReplicationMetrics metrics;
    private final TimeSource time;
    private final ApplicationAttributes attributes;
    private final RequestsInFlight requests;
    private final Runnable onClose;
    private final LiveSessions live = new LiveSessions();
    private final Endings endings;
    private final DueSessions due;
    private final VersionCookies versions;
    private volatile ToLongFunction<LiveSession> tickets = session -> 0;
    private final SecureRandom random = new SecureRandom();
    private final Set<String> named = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<Boolean>> fetches = new ConcurrentHashMap<>();

    ReplicatedSessions(
            UnderstudyConfig config,
            ClusterChannel channel,
            ApplicationGroup group,
            ReplicationMetrics metrics,
            TimeSource time,
            ApplicationAttributes attributes,
            RequestsInFlight requests,
            Runnable onClose) {
        this.config = config;
        this.channel = channel;
        this.group = group;
        this.metrics = metrics;
        this.time = time;
        this.attributes = attributes;
        this.requests = requests;
        this.onClose = onClose;
        this.endings = new Endings(group.expiry(), config.ackTimeout());
        this.due = new DueSessions(group, channel.memory(), time);
        this.versions = new VersionCookies(
                group,
                metrics,
                config.application().versionCookie(),
                channel.clock().origin());
        group.expiry().usedBy(live);
    }

    /** The application's name. */
    public String application() {
        return group.name();
    }

    /** The node's settings, with the application's own. */
    public UnderstudyConfig config() {
        return config;
    }

    Endings endings() {
        return endings;
    }

    HybridClock clock() {
        return channel.clock();
    }

    TimeSource time() {
        return time;
    }

    AttributeCodec codec() {
        return attributes.codec();
    }

    /** Examines sessions at the end of requests; {@code null} if it is off. */
    @Nullable
    SessionDoctor doctor() {
        return attributes.doctor();
    }

    RequestsInFlight requests() {
        return requests;
    }

    ReplicationMetrics metrics() {
        return metrics;
    }

    /**
     * To be asked with the id a request bears, before the container's own lookup, outside every lock and map
     * computation. A node that holds all sessions answers at once; one that is still joining fetches the session, 2
     * seconds at most; one that stood still waits for the others' confirmation, 5 seconds at most; one that was apart from
     * others compares the session with one of them first, 2 seconds at most for each side. Of a session that is about to
     * end somewhere, it waits until that is decided, {@code ackTimeout} at most.
     */
    public Arrival arrive(String id) {
        return arrive(id, List.of());
    }

    /**
     * The same for a request that bears version cookies: of a session that the client has seen more of than is here, it waits for the
     * rest, {@code versionCookieWait} at most.
     *
     * @param versions the values of all cookies of that name; those of other sessions, and forged ones, are ignored
     */
    public Arrival arrive(String id, Collection<String> versions) {
        Arrival arrival = present(id);
        if (arrival == Arrival.UNAVAILABLE) {
            return arrival;
        }
        boolean upToDate = this.versions.await(id, versions);
        StoredReplica stored = group.store().header(id);
        if (stored != null && !endings.arrives(stored, time.monotonicMillis())) {
            return Arrival.UNAVAILABLE;
        }
        return upToDate ? Arrival.PROCEED : Arrival.BEHIND;
    }

    VersionCookies versions() {
        return versions;
    }

    private Arrival present(String id) {
        if (!group.awaitConfirmed()) {
            return Arrival.UNAVAILABLE;
        }
        group.compareFirst(id);
        boolean ready = group.ready();
        boolean allShared = config.memory().emptySessions() == EmptySessions.REPLICATE;
        if (contains(id) || (ready && allShared) || group.unknownIds().contains(id)) {
            return Arrival.PROCEED;
        }
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> other = fetches.putIfAbsent(id, mine);
        if (other != null) {
            return arrival(other.join());
        }
        try {
            if (ready) {
                group.findUnshared(id);
            }
            mine.complete(ready || group.fetch(id));
        } finally {
            fetches.remove(id);
            mine.complete(false);
        }
        boolean known = mine.join();
        if (known && !contains(id)) {
            group.unknownIds().unknown(id);
        }
        return arrival(known);
    }

    private static Arrival arrival(boolean known) {
        return known ? Arrival.PROCEED : Arrival.UNAVAILABLE;
    }

    /**
     * A new session. The others learn of it by its first {@link LiveSession#commit}.
     *
     * @param id what the cookie will hold, without any route suffix
     * @param maxInactiveSeconds idle time after which it expires; 0 or less is never
     */
    public LiveSession create(String id, int maxInactiveSeconds) {
        Stamp now = clock().next();
        SessionDelta state = SessionDelta.created(new SessionKey(random.nextLong()), now, id, maxInactiveSeconds);
        StoredReplica stored = group.store().create(state);
        return live.computeIfAbsent(state.key(), key -> new LiveSession(this, stored, false));
    }

    /**
     * The session with this id, or {@code null} if there is none or it is over. The same object for as long as somebody
     * holds it. Attributes stay encoded until they are read.
     */
    public @Nullable LiveSession find(String id) {
        StoredReplica stored = group.store().find(id);
        return stored == null || group.expiry().over(stored.replica().key()) ? null : live(stored);
    }

    private LiveSession live(StoredReplica stored) {
        return live.computeIfAbsent(stored.replica().key(), key -> new LiveSession(this, stored, true));
    }

    /**
     * Tells for which request the calling thread works.
     *
     * @param tickets gives, for a session, the ticket that the thread's request got from {@link LiveSession#enter}; 0 if it
     *     has none, or the thread works for no request that is known
     */
    public void requestsBy(ToLongFunction<LiveSession> tickets) {
        this.tickets = tickets;
    }

    long ticketOf(LiveSession session) {
        return tickets.applyAsLong(session);
    }

    /** Whether {@link #find} would find it. */
    public boolean contains(String id) {
        StoredReplica stored = group.store().header(id);
        return stored != null && !group.expiry().over(stored.replica().key());
    }

    /** The sessions that this node is the owner of: each of the cluster's is one node's. A snapshot. */
    public List<LiveSession> own() {
        return group.store().stream()
                .filter(stored -> stored.replica().live() && group.ownedHere(stored.replica()))
                .map(this::live)
                .toList();
    }

    /** The ids of all sessions this node holds, its own and its peers'. A snapshot. */
    public Collection<String> ids() {
        return group.store().ids();
    }

    /**
     * The sessions this node, and no other, has to end now: idle for too long, and last used here, or last used on a member
     * that is gone and inherited by this one; those that a member which is gone was about to end; and above {@code maxMemory}
     * sessions without attributes that no other member knows, used least recently. All others that have
     * the application have promised not to use them; requests for them wait. Of each, call {@link LiveSession#beginEnd}, and
     * if that says so run the listeners, then {@link LiveSession#expire}. What is left of one call, as it was {@linkplain
     * LiveSession#giveUpEnd given up} or never begun, is looked at by the next.
     *
     * <p>Threads: one at a time. Waits for the others' votes, 2 seconds at most; what is not decided then is not due yet.
     */
    public List<LiveSession> expirable() {
        live.removeDropped();
        return endings.expirable(
                () -> Stream.concat(
                        due.idle(slackMillis())
                                .map(this::live)
                                .map(session ->
                                        new Due(session, () -> session.overdueBy(slackMillis()) && !session.inUse())),
                        due.surplus().map(this::live).map(session -> new Due(session, () -> !session.inUse()))),
                key -> {
                    StoredReplica stored = header(key);
                    return stored == null || !stored.replica().live() ? null : live(stored);
                });
    }

    /**
     * What happened to the application's sessions on this node, or was told to it: who ended them, who was asked, and what was
     * done again as a member was gone. To count how often listeners were told: {@code FIRED} and {@code FIRED_AGAIN} are
     * noted on the telling node just before, once for each time.
     */
    public AuditRing audit() {
        return group.expiry().audit();
    }

    /**
     * Waits for the lock of the session with this id, {@code lockTimeout} at most, and for all that was changed in it under
     * the lock before. To be called after {@link #arrive}, and before the session is looked up and {@linkplain
     * LiveSession#enter entered}: who has the lock finds the newest state. Not reentrant: a request takes it once.
     *
     * @return to be closed at the end of the request, after {@link LiveSession#exit}; without effect if no session has
     *     the id
     */
    public SessionLock lock(String id) {
        StoredReplica stored = group.store().header(id);
        if (stored == null) {
            return SessionLock.NONE;
        }
        SessionKey key = stored.replica().key();
        do {
            LockClaim claim = group.claimLock(key);
            OptionalLong fence = claim.await(config.application().lock().timeout());
            // After a standstill the grant may be an old one: others have gone on, and given the lock away.
            if (fence.isPresent() && !group.suspended()) {
                metrics.count(Counter.LOCKS_GRANTED);
                group.catchUp(key);
                return SessionLock.held(fence.getAsLong(), () -> group.releaseLock(key, claim));
            }
            group.releaseLock(key, claim);
            if (fence.isEmpty()) {
                break;
            }
        } while (group.awaitConfirmed());
        metrics.count(Counter.LOCKS_TIMED_OUT);
        return SessionLock.late(config.application().lock().onTimeout());
    }

    /**
     * Whether requests to a path take the session's lock.
     *
     * @param path within the application, beginning with a slash
     */
    public boolean locks(String path) {
        return config.application().lock().takenBy(path);
    }

    /** How long, in milliseconds, the news of a use may be under way. */
    long slackMillis() {
        return 2 * config.touchInterval().toMillis();
    }

    boolean usedHere(SessionReplica replica) {
        Stamp lastUse = replica.lastUse();
        return lastUse != null && lastUse.origin() == clock().origin();
    }

    @Nullable
    StoredReplica stored(SessionKey key) {
        return group.store().get(key);
    }

    /** The same without the attributes, if they are on disk; no use of it. */
    @Nullable
    StoredReplica header(SessionKey key) {
        return group.store().header(key);
    }

    void touch(SessionKey key, Stamp lastUse) {
        group.touch(key, lastUse);
    }

    /**
     * Keeps what a request did to a session that has no attributes, and that no other member was told of, to itself, or
     * for the next announcement.
     *
     * @return {@code false} if it has to go out at once
     */
    boolean keep(SessionDelta delta, @Nullable Coherence override) {
        EmptySessions how = config.memory().emptySessions();
        boolean tight = channel.memory().tight();
        if (how == EmptySessions.REPLICATE || (how == EmptySessions.ANNOUNCE && !tight && waits(override))) {
            return false;
        }
        group.keep(delta, how == EmptySessions.ANNOUNCE && !tight);
        return true;
    }

    /** Ends a session that no other member was told of; {@code false} if one was. */
    boolean forget(SessionKey key, What end) {
        return group.forget(key, end);
    }

    Outgoing prepare(SessionDelta delta) {
        StoredReplica stored = header(delta.key());
        long age = stored == null ? 0 : Math.max(0, time.monotonicMillis() - stored.createdAt());
        return group.prepare(delta, age, config.application().acks());
    }

    /**
     * Whether a commit is awaited: the request's own word counts first, then the node's, then the setting. To be asked
     * after the change was prepared: then a node that turns coherent waits for it, or it waits itself.
     */
    boolean waits(@Nullable Coherence override) {
        Coherence node = channel.mode();
        return (override != null ? override : node != null ? node : config.coherence()) == Coherence.COHERENT;
    }

    /** The commit of a change that is prepared, and sent next: waiting for credits counts against {@code ackTimeout}. */
    Commit commit(Outgoing outgoing, @Nullable Coherence override) {
        return waits(override)
                ? awaited(outgoing.held())
                : new Commit(CompletableFuture.completedFuture(Outcome.SENT), outgoing.held());
    }

    /** The commit of a change that a coherent request has to wait for. */
    Commit awaited(CompletableFuture<Held> held) {
        return new Commit(
                held.thenApply(ReplicatedSessions::outcome)
                        .completeOnTimeout(Outcome.DEGRADED, config.ackTimeout().toMillis(), TimeUnit.MILLISECONDS)
                        .thenApply(this::counted),
                null);
    }

    private static Outcome outcome(Held held) {
        return switch (held) {
            case ALL -> Outcome.ACKNOWLEDGED;
            case ENOUGH -> Outcome.PARTLY;
            case NONE -> Outcome.DEGRADED;
        };
    }

    private Outcome counted(Outcome outcome) {
        metrics.count(outcome.degraded() ? Counter.RESPONSES_DEGRADED : Counter.RESPONSES_ACKNOWLEDGED);
        if (outcome == Outcome.PARTLY) {
            metrics.count(Counter.RESPONSES_PARTLY_ACKNOWLEDGED);
        }
        return outcome;
    }

    void notReplicated(String attribute, Object value, String reason) {
        metrics.count(Counter.ATTRIBUTES_NOT_REPLICATED);
        if (firstTime("encode " + attribute + value.getClass().getName())) {
            LOG.log(
                    Level.WARNING,
                    "{0} - attribute ''{1}'' of class {2} stays on this node: {3}",
                    group.label(),
                    attribute,
                    value.getClass().getName(),
                    reason);
        }
    }

    /** What was asked for here and can't be decoded. */
    Quarantine quarantine() {
        return attributes.quarantine();
    }

    private boolean firstTime(String cause) {
        return named.size() < MAX_NAMED && named.add(cause);
    }

    /**
     * Lets go of the application's classes. With its last user gone the node goes on holding and acknowledging the
     * application's sessions for {@code retainUndeployed}, without expiring any; then its replicas here are dropped.
     */
    @Override
    public void close() {
        group.expiry().rest();
        group.expiry().notUsedBy(live);
        live.clear();
        attributes.codec().close();
        onClose.run();
    }
}
