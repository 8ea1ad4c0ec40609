package io.understudy.jetty;

import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.Coherence;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.RequestCoherence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.session.DefaultSessionCache;
import org.eclipse.jetty.session.ManagedSession;
import org.eclipse.jetty.session.SessionData;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.thread.AutoLock;
import org.jspecify.annotations.Nullable;

/**
 * The session objects of one context. Unlike Jetty's own cache it knows that other nodes change, rename and end
 * sessions too: before it gives one out, it compares it with the replicated one.
 *
 * <p>Threads: any. Nothing waits for the network under a session's lock or in a computation of the map.
 */
@SuppressWarnings("try") // A lock that is held for a block is not referred to in it.
final class UnderstudySessionCache extends DefaultSessionCache {

    private static final System.Logger LOG = System.getLogger(UnderstudySessionCache.class.getName());

    /** How often a look-up is tried again that met a session object which is just leaving the cache. */
    private static final int LOOK_UPS = 10;

    private final ConcurrentMap<String, ManagedSession> cached;

    /** Sessions that Jetty ends, or whose end elsewhere it reports, by id, until it {@linkplain #delete takes} them. */
    private final Map<String, LiveSession> expiring = new ConcurrentHashMap<>();

    final IdChanges changes = new IdChanges();

    UnderstudySessionCache(SessionManager manager) {
        this(manager, new ConcurrentHashMap<>());
    }

    private UnderstudySessionCache(SessionManager manager, ConcurrentMap<String, ManagedSession> cached) {
        super(manager, cached);
        this.cached = cached;
    }

    @Override
    protected void doStart() throws Exception {
        if (!(getSessionDataStore() instanceof UnderstudySessionDataStore)) {
            throw new IllegalStateException("can't replicate sessions through the session data store "
                    + getSessionDataStore() + "; remove that store, or the factory that made it");
        }
        super.doStart();
    }

    private UnderstudySessionDataStore store() {
        return (UnderstudySessionDataStore) getSessionDataStore();
    }

    private ReplicatedSessions sessions() {
        return store().sessions();
    }

    /** Runs as the application: with its class loader, and what Jetty knows per context. */
    <T extends @Nullable Object> T inContext(Supplier<T> work) {
        List<T> result = new ArrayList<>(1);
        store().context().run(() -> result.add(work.get()));
        return result.get(0);
    }

    /** Makes the current request's response wait for the commit. A thread without a request waits itself. */
    void settle(Commit commit, ApplicationConfig settings) {
        ReplicatedRequest exchange = ExchangeScope.current();
        if (exchange == null) {
            commit.await();
        } else {
            exchange.awaits(commit, settings);
        }
    }

    /** What a request, or a thread without one, wants for its changes of a session of this context. */
    @Nullable
    Coherence coherence(@Nullable ReplicatedRequest exchange, LiveSession session) {
        if (exchange == null) {
            return RequestCoherence.withoutRequest(session.settings());
        }
        Context context = store().context().getContext();
        String path = context == null ? null : context.getContextPath();
        return exchange.coherence(path == null ? "" : path, session);
    }

    @Override
    public ManagedSession newSession(SessionData data) {
        return new UnderstudySession(getSessionManager(), (UnderstudySessionData) data, this);
    }

    /** Jetty refuses the second of two requests that create a session of one id at once. */
    @Override
    public void add(String id, ManagedSession session) throws Exception {
        try {
            super.add(id, session);
            ReplicatedRequest exchange = ExchangeScope.current();
            if (exchange != null) {
                exchange.uses((UnderstudySession) session);
            }
        } catch (IllegalStateException e) {
            ((UnderstudySession) session).live().invalidate();
            throw e;
        }
    }

    @Override
    protected @Nullable ManagedSession getAndEnter(String id, boolean enter) throws Exception {
        // An object that was found while it was evicted is not usable, although the session goes on.
        for (int i = 0; i < LOOK_UPS; i++) {
            follow(id);
            LiveSession found = sessions().find(id);
            LiveSession live = found == null ? changes.find(id) : found;
            if (live == null) {
                return null;
            }
            if (enter && live.overdue()) {
                sessions().expireSoon(live, this::expire); // The request does not wait for the listeners.
                return null;
            }
            String current = live.id();
            follow(current); // One object for a session, although changes of its id may leave several.
            takeBack(current, live);
            ManagedSession session = super.getAndEnter(current, enter);
            if (session instanceof UnderstudySession ours && enter) {
                IdChanges.found(ours, id);
            }
            if (session != null) {
                return session;
            }
        }
        throw new IllegalStateException("session " + id + " of " + sessions().application()
                + ": expected that it stays in memory while a request loads it, but it was dropped each time");
    }

    /** The object of a session, if the cache dropped it and somebody holds it still. */
    private void takeBack(String id, LiveSession live) {
        if (doGet(id) == null && live.objects().container() instanceof UnderstudySession held && held.usable()) {
            try (AutoLock ignored = held.lock()) {
                held.getSessionData().setId(id);
                live.objects().container(held); // It counts again.
                doPutIfAbsent(id, held);
            }
        }
    }

    /**
     * Drops the object of a session that no request uses, for want of room. An application that holds it goes on using
     * it, so it stays resident.
     *
     * @return false if it stays
     */
    boolean drop(LiveSession live) {
        if (!(live.objects().container() instanceof UnderstudySession session)) {
            return true;
        }
        String id = session.getSessionData().getId();
        return doGet(id) != session || session.ifUnused(() -> forget(id, session));
    }

    /** Whether requests find the session by this id: its own, or one that a concurrent change superseded. */
    boolean finds(String id, LiveSession session) {
        return store().finds(id, session);
    }

    /**
     * Jetty gives a new session the id of the request if any context has one with it that is not about to end.
     */
    @Override
    public boolean exists(String id) throws Exception {
        follow(id);
        return !store().endsAnywhere(id) && super.exists(id);
    }

    /**
     * Does to the object cached under this id what another node did to its session. One of before the context's last start,
     * left here by a request that ended after that was stopped, goes.
     */
    private void follow(String id) {
        if (!(doGet(id) instanceof UnderstudySession session)) {
            return;
        }
        LiveSession live = session.live();
        boolean old = !store().has(live);
        if (!old && live.valid() && live.id().equals(id)) {
            return;
        }
        try (AutoLock ignored = session.lock()) {
            if (!forget(id, session)) {
                return;
            }
            if (old || session.endIfEndedElsewhere()) {
                session.setResident(false);
            } else {
                // Running requests go on with this object, whatever its id; new ones find it by the new id only.
                session.getSessionData().setId(live.id());
                doPutIfAbsent(live.id(), session);
            }
        }
    }

    /** The response begins: what the request changed so far goes out, and the response waits for it. Does not fail. */
    @Override
    public void commit(ManagedSession session) {
        if (session instanceof UnderstudySession ours) {
            ReplicatedRequest exchange = null;
            try {
                exchange = ExchangeScope.current();
                commit(ours, exchange);
            } catch (Throwable e) {
                if (exchange == null) {
                    survived("sending the changes of a request", e);
                } else {
                    exchange.failed(ours, "sending the changes of a request", e);
                }
            }
        }
    }

    private static void commit(UnderstudySession session, @Nullable ReplicatedRequest exchange) {
        if (exchange == null) {
            // Without a context only the handler's thread has a scope.
            session.commit((ReplicatedRequest) null).await();
        } else {
            exchange.commits(session);
        }
    }

    /** A request leaves the session; its last changes go out. Does not fail: Jetty would not end the request. */
    @Override
    public void release(ManagedSession session) {
        UnderstudySession ours = (UnderstudySession) session;
        try {
            commitLeft(ours, ExchangeScope.current());
        } catch (Throwable e) {
            survived("sending the last changes of a request", e);
        }
        try {
            leave(ours);
        } catch (Throwable e) {
            survived("releasing the object of a session", e);
        }
    }

    private static void commitLeft(UnderstudySession session, @Nullable ReplicatedRequest exchange) {
        if (exchange == null) {
            session.commit((ReplicatedRequest) null).await();
        } else {
            exchange.releases(session);
        }
    }

    private void leave(UnderstudySession session) {
        try (AutoLock ignored = session.lock()) {
            session.leave();
            if (session.endIfEndedElsewhere() || session.isInvalidOrInvalidating()) {
                return;
            }
            if (session.getRequests() == 0 && getEvictionPolicy() == EVICT_ON_SESSION_EXIT) {
                forget(session.getId(), session);
                session.setResident(false);
                session.live().objects().dropped();
            } else {
                session.setResident(true);
                doPutIfAbsent(session.getId(), session);
            }
        }
    }

    /** Does not fail: what uses the session, and the application's other sessions, have to end theirs. */
    private Commit commitLast(UnderstudySession session, Coherence coherence) {
        try {
            return session.commit(coherence, null);
        } catch (Throwable e) {
            survived("sending the last changes of a session", e);
            return Commit.NOTHING;
        }
    }

    /** The same of one that the response of the current request, if there is one, is degraded by. Does not fail. */
    void failed(UnderstudySession session, String what, Throwable cause) {
        ReplicatedRequest exchange = ExchangeScope.current();
        if (exchange == null) {
            survived(what, cause);
        } else {
            exchange.failed(session, what, cause);
        }
    }

    /** Takes note of a failure that a request goes on after. Does not fail. */
    void survived(String what, Throwable cause) {
        store().survived(what, cause);
    }

    @Override
    public @Nullable ManagedSession renewSessionId(
            String oldId, String newId, String oldExtendedId, String newExtendedId) throws Exception {
        ManagedSession session = getAndEnter(oldId, true);
        if (session instanceof UnderstudySession ours) {
            settle(rename(ours, oldId, newId, newExtendedId), ours.live().settings());
        }
        return session;
    }

    private Commit rename(UnderstudySession session, String oldId, String newId, String newExtendedId) {
        boolean done = false;
        changes.begin(oldId, session);
        try {
            try (AutoLock ignored = session.lock()) {
                session.checkValidForWrite();
            }
            // Without Jetty's lock: attributes may be told that they are encoded, and use the session in that event.
            Commit renamed = session.live().rename(newId);
            IdChanges.changed(session, oldId, newId);
            try (AutoLock ignored = session.lock()) {
                String current = session.live().id(); // Another one, if another request changed it since.
                session.getSessionData().setId(current);
                session.setExtendedId(newExtendedId);
                session.onIdChanged();
                doPutIfAbsent(current, session);
                forget(oldId, session);
            }
            done = true;
            return renamed;
        } finally {
            if (!session.changesId()) {
                changes.end(session);
            }
            if (!done) {
                session.leave(); // Jetty releases only what it was given.
            }
        }
    }

    /** Called with the session's lock. */
    private boolean forget(String id, ManagedSession session) {
        return doGet(id) == session && doDelete(id) != null;
    }

    /**
     * Takes the session out, for its end. The session itself ends it everywhere, after the listeners ran: see {@link
     * UnderstudySession#finishInvalidate}.
     */
    @Override
    public @Nullable ManagedSession delete(String id) throws Exception {
        LiveSession due = expiring.remove(id);
        ManagedSession session = due == null ? getAndEnter(id, false) : objectOf(due);
        if (session != null) {
            try (AutoLock ignored = session.lock()) {
                forget(id, session);
                session.setResident(false);
            }
        }
        return session;
    }

    /** The object of a session that this node expires: look-ups by id do not find it any more. */
    private UnderstudySession objectOf(LiveSession due) {
        takeBack(due.id(), due);
        UnderstudySession session = doGet(due.id()) instanceof UnderstudySession present
                        && present.live() == due
                        && (!due.endedElsewhere() || present.isValid()) // A request may have found it over.
                ? present
                : new UnderstudySession(
                        getSessionManager(),
                        new UnderstudySessionData(due, store().context(), due.creationMillis()),
                        this);
        session.isDue();
        return session;
    }

    /**
     * Jetty's candidates do not count: only the cluster knows who used a session last, and who has to expire it.
     *
     * @return none: threads of the node end the sessions, several at once
     */
    @Override
    public Set<String> checkExpiration(Set<String> candidates) {
        if (isStarted()) {
            Set.copyOf(cached.keySet()).forEach(this::follow);
            store().context().run(() -> sessions().expire(this::expire));
        }
        return Set.of();
    }

    /** Ends it as Jetty's house keeper does: in all contexts that have a session with this id. */
    private void expire(LiveSession live) {
        String id = live.id();
        if (live.inUse()) {
            live.abandonEnd();
            return;
        }
        expiring.put(id, live);
        try {
            getSessionManager().getSessionIdManager().expireAll(id);
        } finally {
            expiring.remove(id, live);
        }
    }

    /** Tells this node's listeners of its end on another one. That ended those of other contexts, too. */
    void endedElsewhere(LiveSession live) {
        String id = live.id();
        expiring.put(id, live);
        try {
            getSessionManager().invalidate(id);
        } catch (Throwable e) {
            survived("calling listeners for an end on another node", e);
        } finally {
            expiring.remove(id, live);
        }
    }

    /** Sends what was not sent, and waits until the others have it. The sessions go on there. */
    @Override
    public void shutdown() {
        List<Commit> commits = new ArrayList<>();
        for (ManagedSession session : List.copyOf(cached.values())) {
            UnderstudySession ours = (UnderstudySession) session;
            commits.add(commitLast(ours, Coherence.COHERENT));
            try (AutoLock ignored = ours.lock()) {
                forget(ours.getId(), ours);
                ours.setResident(false);
            }
        }
        commits.forEach(Commit::await);
    }

    @Override
    public void setInvalidateOnShutdown(boolean invalidate) {
        if (invalidate) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "invalidateOnShutdown is ignored: the sessions of {0} continue on other nodes",
                    getSessionManager().getContext());
        }
    }
}
