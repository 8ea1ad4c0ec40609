package io.understudy.jetty;

import io.understudy.config.session.Coherence;
import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.RequestCoherence;
import io.understudy.session.SessionUse;
import java.lang.Thread.State;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.session.ManagedSession;
import org.eclipse.jetty.session.SessionCache;
import org.eclipse.jetty.session.SessionIdManager;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.thread.AutoLock;
import org.jspecify.annotations.Nullable;

/**
 * A replicated session as Jetty's session managers know it.
 *
 * <p>Threads: any. Jetty's lock of the session guards what {@link ManagedSession} has; commits are made without it, and
 * nothing waits for the network under it.
 */
@SuppressWarnings("try") // A lock that is held for a block is not referred to in it.
final class UnderstudySession extends ManagedSession {

    /** How names of attributes begin that Jetty sets. No application asked for them, nor could it handle a refusal. */
    private static final String CONTAINER = "org.eclipse.jetty.";

    private final UnderstudySessionCache cache;
    private final UnderstudySessionData data;
    private final LiveSession live;

    /** What a response is whose changes of this session were not sent. Made before: there may be no memory then. */
    private final Settled unsent;

    /** Whether it was found to be idle for too long, by a request or the node. Guarded by the session's lock. */
    private boolean overdue;

    /** Held while a request changes the id. */
    private final ReentrantLock idChange = new ReentrantLock();

    /** Whether the end that has begun is an expiry. */
    private volatile boolean expiring;

    /** Whether another node has ended it, and only listeners are told here. */
    private volatile boolean elsewhere;

    UnderstudySession(SessionManager manager, UnderstudySessionData data, UnderstudySessionCache cache) {
        super(manager, data);
        this.cache = cache;
        this.data = data;
        this.live = data.live();
        this.unsent = Settled.of(Outcome.DEGRADED, live.settings());
        live.activation(new SessionActivation(this, cache));
        live.objects().container(this);
    }

    LiveSession live() {
        return live;
    }

    Settled unsent() {
        return unsent;
    }

    /**
     * Sends what changed since the last commit. Not under the session's lock, as it encodes.
     *
     * @param exchange whose changes these are
     */
    Commit commit(@Nullable ReplicatedRequest exchange) {
        return commit(cache.coherence(exchange, live), exchange);
    }

    Commit commit(@Nullable Coherence override, @Nullable ReplicatedRequest exchange) {
        SessionUse use = exchange == null ? null : exchange.use(live);
        return inContext(() -> use == null ? live.commit(override) : use.commit(override));
    }

    private Commit inContext(Supplier<Commit> commit) {
        return isInvalidOrInvalidating() ? Commit.NOTHING : cache.inContext(commit);
    }

    /**
     * Sends what a request changed after its response. Nobody waits for it.
     *
     * @param use that of the request; {@code null} if it has none
     */
    Commit commitAfterResponse(@Nullable SessionUse use) {
        return inContext(() -> live.commitAfterResponse(use));
    }

    /**
     * The id as the client is to bear it. A request that bears one which a concurrent change of the id superseded is
     * given the current one: Jetty sets the cookie anew when the id is another than the request's.
     */
    @Override
    public void setExtendedId(String extendedId) {
        SessionIdManager ids = getSessionManager().getSessionIdManager();
        String id = ids.getId(extendedId);
        String current = live.id();
        if (current.equals(id)) {
            super.setExtendedId(extendedId);
        } else {
            super.setExtendedId(ids.getExtendedId(current, null));
            IdChanges.outdated(this, id);
        }
    }

    /** As the client of the current request may know it: cookies and URLs have this. */
    @Override
    public String getExtendedId() {
        String current = super.getExtendedId(); // First: if this is the new one, the replicated session has it, too.
        String former = IdChanges.formerId(this);
        SessionIdManager ids = getSessionManager().getSessionIdManager();
        return former == null ? current : ids.getExtendedId(former, null);
    }

    /** Whether requests find the session by this id. */
    boolean isFoundBy(String id) {
        return cache.finds(id, live);
    }

    /** Changes by several requests follow each other. */
    @Override
    public void renewId(Request request, Response response) {
        idChange.lock();
        try {
            IdChanges.begins();
            super.renewId(request, response);
        } catch (Throwable e) {
            // An Error of a listener. Jetty would keep all others waiting for the end of the change.
            boolean begun = endIdChange();
            IdChanges.complete(request, getSessionManager(), e);
            if (begun && response != null && !response.isCommitted() && isSetCookieNeeded()) {
                Response.putCookie(response, getSessionManager().getSessionCookie(this, request.isSecure()));
            }
            throw e;
        } finally {
            cache.changes.end(this);
            idChange.unlock();
        }
    }

    private boolean endIdChange() {
        try (AutoLock ignored = lock()) {
            boolean begun = changesId();
            _state = begun ? State.VALID : _state;
            _stateChangeCompleted.signalAll();
            return begun;
        }
    }

    boolean changesId() {
        try (AutoLock ignored = lock()) {
            return _state == State.CHANGING;
        }
    }

    @Override
    public void onIdChanged() {
        if (!IdChanges.bearsFormerId(this)) {
            super.onIdChanged();
        }
    }

    @Override
    public boolean isSetCookieNeeded() {
        return !IdChanges.bearsFormerId(this) && super.isSetCookieNeeded();
    }

    @Override
    public long getCookieSetTime() {
        return IdChanges.bearsFormerId(this) ? System.currentTimeMillis() : super.getCookieSetTime();
    }

    /** A request begins to use it. Once Jetty counts it nothing of ours fails: it would never be released. */
    @Override
    protected void use() {
        try (AutoLock ignored = lock()) {
            data.refresh();
            overdue = live.overdue();
            super.use();
        }
        ReplicatedRequest exchange = ExchangeScope.current();
        if (exchange != null && !overdue) {
            exchange.uses(this);
            try {
                Logins.tell(live, exchange);
            } catch (Throwable e) {
                cache.survived("passing the login of another node to an application", e);
            }
        }
    }

    /** This node expires it, and no request finds it any more. */
    void isDue() {
        try (AutoLock ignored = lock()) {
            overdue = true;
        }
    }

    /**
     * Does something, if that need not wait for the lock and no request uses the session.
     *
     * @return what that returns; else false
     */
    boolean ifUnused(BooleanSupplier task) {
        AutoLock lock = _lock.tryLock();
        if (!lock.isHeldByCurrentThread()) {
            return false;
        }
        try {
            return getRequests() == 0 && !isInvalidOrInvalidating() && task.getAsBoolean();
        } finally {
            lock.close();
        }
    }

    /** Whether it may be used again after it was dropped from memory while somebody holds it. */
    boolean usable() {
        try (AutoLock ignored = lock()) {
            return isResident() && !isInvalidOrInvalidating();
        }
    }

    /** A request that used it ends. Called with the lock. */
    void leave() {
        super.release();
    }

    /** The end of a use outside a request, as by WebSocket endpoints. Jetty announces no beginning: it is no request. */
    @Override
    public void release() {
        long ticket = live.enter();
        try {
            commit(RequestCoherence.withoutRequest(live.settings()), null).await();
        } finally {
            live.exit(ticket);
        }
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        if (live.endedElsewhere() && LiveSession.ENDED_ELSEWHERE.equals(name)) {
            return true;
        }
        try (AutoLock ignored = lock()) {
            checkValidForRead();
        }
        // Not under the lock: it may wait for an activation listener of another thread, which may use the session.
        return getSessionData().getAttribute(name);
    }

    @Override
    public Object setAttribute(String name, @Nullable Object value) {
        if (name != null && value != null && !name.startsWith(CONTAINER) && isValid()) {
            cache.inContext(() -> {
                live.checkReplicable(name, value); // Before the value is bound, and without the session's lock.
                return null;
            });
        }
        try {
            return super.setAttribute(name, value);
        } finally {
            if (isValid()) { // Also if a listener failed: the attribute is changed by then.
                Logins.keep(live, name, value);
                changed();
            }
        }
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        super.setMaxInactiveInterval(seconds);
        changed();
    }

    /** What a thread changes that works for no request, such as a web socket's, is sent at once and awaited. */
    private void changed() {
        ReplicatedRequest exchange = ExchangeScope.current();
        if (exchange == null) {
            commit(RequestCoherence.withoutRequest(live.settings()), null).await();
        } else {
            exchange.changed(this);
        }
    }

    @Override
    public boolean isExpiredAt(long time) {
        try (AutoLock ignored = lock()) {
            return overdue || live.overdue();
        }
    }

    /** A timer only to evict: {@link UnderstudySessionCache#checkExpiration} finds the sessions that are due. */
    @Override
    public long calculateInactivityTimeout(long now) {
        int policy = getSessionManager().getSessionCache().getEvictionPolicy();
        return policy < SessionCache.EVICT_ON_INACTIVITY ? -1 : policy * 1000L;
    }

    /** Also while its id changes: to Jetty that is a state of its own, in which requests would find no session. */
    @Override
    public boolean isValid() {
        return !isInvalidOrInvalidating() && live.valid();
    }

    @Override
    protected void checkValidForRead() {
        endIfEndedElsewhere();
        super.checkValidForRead();
    }

    @Override
    protected void checkValidForWrite() {
        endIfEndedElsewhere();
        super.checkValidForWrite();
    }

    /** Ends the session in this context, and leaves nothing to Jetty, which would give up at an Error of a listener. */
    @Override
    public boolean beginInvalidate() {
        boolean unused = end();
        return false;
    }

    /** Ends it in all contexts that have a session with its id. Listeners can't fail it. */
    @Override
    public void invalidate() {
        if (end()) {
            try {
                getSessionManager().getSessionIdManager().invalidateAll(data.getId());
            } catch (Throwable e) {
                cache.failed(this, "ending the sessions of other contexts with the id of an ended session", e);
            }
        }
    }

    /** @return false if it was not this call's to end, see {@link #begins} */
    private boolean end() {
        if (!begins()) {
            return false;
        }
        try {
            getSessionManager().onSessionDestroyed(this);
        } catch (Throwable e) {
            cache.survived("calling the listeners for the end of a session", e);
        }
        try {
            finishInvalidate();
        } catch (Throwable e) {
            cache.failed(this, "ending a session", e);
        }
        return true;
    }

    /**
     * Begins the end of the session, unless another node ends it, or, of an expiry, knows that it was used: then its
     * events are not this node's to fire. Waits for the others' word, without the session's lock.
     */
    private boolean begins() {
        if (isInvalidOrInvalidating()) {
            return super.beginInvalidate();
        }
        if (live.endedElsewhere()) {
            elsewhere = true;
            return super.beginInvalidate();
        }
        boolean expires = isExpiredAt(System.currentTimeMillis());
        if (expires ? live.beginExpiry() : live.beginEnd(cache.coherence(ExchangeScope.current(), live))) {
            expiring = expires;
            return super.beginInvalidate();
        }
        endIfEndedElsewhere();
        return false;
    }

    /**
     * Runs the events of the end, with the attributes this node holds, and then ends the session everywhere. Jetty
     * calls it after the listeners for the end of a session, whether the session is invalidated or expires.
     */
    @Override
    public void finishInvalidate() {
        try (AutoLock ignored = lock()) {
            data.detach(cache);
            super.finishInvalidate();
        } finally {
            finishEnd();
        }
    }

    /** While the session ends, the listeners of an attribute can't keep those of the others from being called. */
    @Override
    protected void onSessionAttributeUpdate(String name, @Nullable Object value, @Nullable Object before) {
        try {
            super.onSessionAttributeUpdate(name, value, before);
        } catch (Throwable e) {
            if (!isInvalidOrInvalidating()) {
                throw e;
            }
            cache.survived("calling the listeners for an attribute of a session that ends", e);
        }
    }

    /** Also if an attribute failed while it was unbound: the other nodes wait for the end. */
    private void finishEnd() {
        if (elsewhere) {
            return;
        }
        if (expiring) {
            var unused = live.expire();
        } else {
            cache.settle(live.invalidate(wantedCoherence()), live.settings());
        }
    }

    private @Nullable Coherence wantedCoherence() {
        try {
            return cache.coherence(ExchangeScope.current(), live);
        } catch (Throwable e) {
            cache.survived("checking which responses wait for the end of a session", e);
            return Coherence.COHERENT;
        }
    }

    /**
     * Becomes invalid, without events, if another node ended it. Those were fired there.
     *
     * @return whether it is over
     */
    boolean endIfEndedElsewhere() {
        try (AutoLock ignored = lock()) {
            if (live.valid()) {
                return false;
            }
            // A local end in progress goes on: its listeners still read the attributes.
            if (_state == State.VALID || _state == State.CHANGING) {
                _state = State.INVALID;
                _stateChangeCompleted.signalAll();
            }
            return true;
        }
    }
}
