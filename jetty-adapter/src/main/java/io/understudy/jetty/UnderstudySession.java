package io.understudy.jetty;

import io.understudy.config.session.Coherence;
import io.understudy.jetty.ReplicatedRequest.Settled;
import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.LoginName;
import io.understudy.session.RequestCoherence;
import io.understudy.session.SessionUse;
import java.lang.Thread.State;
import java.util.function.BooleanSupplier;
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

    /** How names of attributes begin that Jetty sets: no application has asked for them, nor could it handle a refusal. */
    private static final String CONTAINER = "org.eclipse.jetty.";

    private final UnderstudySessionCache cache;
    private final UnderstudySessionData data;
    private final LiveSession live;

    /** What a response is whose changes of this session were not sent. Made before: there may be no memory then. */
    private final Settled unsent;

    /** Whether a request, which does not count as a use, or the node found it idle for too long. Guarded by the session's lock. */
    private boolean overdue;

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
        return commit(cache.coherence(exchange, live));
    }

    Commit commit(@Nullable Coherence override) {
        return isInvalidOrInvalidating() ? Commit.NOTHING : cache.inContext(() -> live.commit(override));
    }

    /** Sends what the exchange changed after its response. Nobody waits for it. */
    Commit commitAfterResponse(@Nullable ReplicatedRequest exchange) {
        SessionUse use = exchange == null ? null : exchange.use(live);
        return use == null
                ? commit(Coherence.INCOHERENT)
                : isInvalidOrInvalidating() ? Commit.NOTHING : cache.inContext(() -> live.commitAfterResponse(use));
    }

    /**
     * The id as the client is to bear it. A request that bears one which a concurrent change of the id superseded is given
     * the current one: Jetty sets the cookie anew when the id is another than the request's.
     */
    @Override
    public void setExtendedId(String extendedId) {
        SessionIdManager ids = getSessionManager().getSessionIdManager();
        String id = ids.getId(extendedId);
        String current = live.id();
        ReplicatedRequest exchange = ExchangeScope.current();
        if (current.equals(id)) {
            super.setExtendedId(extendedId);
        } else {
            super.setExtendedId(ids.getExtendedId(current, null));
            if (exchange != null) {
                exchange.outdated(this, id);
            }
        }
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
            tellLogin(exchange);
        }
    }

    private void tellLogin(ReplicatedRequest exchange) {
        try {
            String login = LoginName.of(live);
            if (login != null && !live.attributes().containsKey(Logins.ATTRIBUTE)) {
                exchange.setAttribute(LoginName.ATTRIBUTE, login);
            }
        } catch (Throwable e) {
            cache.survived("passing the login of another node to an application", e);
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

    /**
     * The end of a use outside a request ({@code HttpSession.Accessor}, as WebSocket endpoints have it): Jetty announces
     * no beginning of those, so they do not count as requests.
     */
    @Override
    public void release() {
        long ticket = live.enter();
        try {
            commit(RequestCoherence.withoutRequest(live.settings())).await();
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
        Object before = super.setAttribute(name, value);
        if (name.equals(Logins.ATTRIBUTE)) {
            LoginName.keep(live, Logins.nameOf(value));
        }
        writeThrough();
        return before;
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        super.setMaxInactiveInterval(seconds);
        writeThrough();
    }

    /**
     * What threads change that work for no request (web sockets, timers) is sent at once, and awaited. Requests that others
     * still have do not count: they may be answered already, and nobody waits for what they send last.
     */
    private void writeThrough() {
        if (ExchangeScope.current() == null) {
            commit(RequestCoherence.withoutRequest(live.settings())).await();
        }
    }

    @Override
    public boolean isExpiredAt(long time) {
        try (AutoLock ignored = lock()) {
            return overdue || live.overdue();
        }
    }

    /** No timer for the end of the session, which {@link UnderstudySessionCache#checkExpiration} finds; only to evict. */
    @Override
    public long calculateInactivityTimeout(long now) {
        int policy = getSessionManager().getSessionCache().getEvictionPolicy();
        return policy < SessionCache.EVICT_ON_INACTIVITY ? -1 : policy * 1000L;
    }

    @Override
    public boolean isValid() {
        return super.isValid() && live.valid();
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

    /**
     * Begins the end of the session, unless another node ends it, or, of an expiry, knows that it was used: then its events
     * are not this node's to fire. Waits for the others' word, without the session's lock.
     */
    @Override
    public boolean beginInvalidate() {
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
            cache.inContext(() -> {
                data.detach();
                return null;
            });
            super.finishInvalidate();
        } finally {
            finishEnd();
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
