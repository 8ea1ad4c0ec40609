package io.understudy.jetty;

import io.understudy.session.Admission;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.lock.SessionLock;
import java.util.Set;
import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.session.SessionContext;
import org.eclipse.jetty.session.SessionData;
import org.eclipse.jetty.session.SessionDataStore;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.URIUtil;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * One context's application in the cluster, in the form of the store that Jetty asks for sessions its cache does not
 * have. It is a member of the application for as long as it is started.
 *
 * <p>Threads: any. Nothing here waits for the network, as Jetty loads inside a map's computation.
 */
final class UnderstudySessionDataStore extends AbstractLifeCycle implements SessionDataStore {

    private final UnderstudySessionFactory factory;
    private volatile ExchangeScope scope = new ExchangeScope();
    private volatile @Nullable SessionContext context;
    private volatile @Nullable ReplicatedSessions sessions;

    UnderstudySessionDataStore(UnderstudySessionFactory factory) {
        this.factory = factory;
    }

    @Override
    public void initialize(SessionContext context) {
        this.context = context;
    }

    @Override
    protected void doStart() throws Exception {
        if (!(manager().getSessionCache() instanceof UnderstudySessionCache cache)) {
            throw new IllegalStateException("the context " + context() + " has the session cache "
                    + manager().getSessionCache() + ", which can't replicate; remove that cache, or the factory "
                    + "that made it");
        }
        ReplicatedSessions joined = factory.join(this, context());
        joined.bindRequests(ExchangeScope::ticket);
        joined.objectsGoBy(cache::drop);
        joined.endsElsewhere(cache::endedElsewhere);
        joined.contextAttributes(() -> context().getContext().asAttributeMap().values());
        sessions = joined;
        if (context().getContext() instanceof ContextHandler.ScopedContext scoped) {
            scope = new ExchangeScope(); // That of an earlier start is over.
            scoped.getContextHandler().addEventListener(scope);
        }
        super.doStart();
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        if (context().getContext() instanceof ContextHandler.ScopedContext scoped) {
            scoped.getContextHandler().removeEventListener(scope);
        }
        scope.end();
        ReplicatedSessions left = sessions;
        factory.left(this);
        sessions = null;
        if (left != null) {
            left.close();
        }
    }

    /**
     * The application's sessions.
     *
     * @throws IllegalStateException if the context does not run
     */
    ReplicatedSessions sessions() {
        ReplicatedSessions current = sessions;
        if (current == null) {
            throw new IllegalStateException(
                    "the sessions of " + context + " are not available: the context is stopped");
        }
        return current;
    }

    /** Takes note of a failure that a request goes on after. Does not fail. */
    void survived(String what, Throwable cause) {
        ReplicatedSessions current = sessions;
        if (current != null) {
            current.survived(what, cause);
        }
    }

    /** Whether the application has a session with this id on this node. */
    boolean knows(String id) {
        ReplicatedSessions current = sessions;
        return current != null && current.contains(id);
    }

    /** Whether a request may have the session with this id without {@link #arrive}: most may. */
    boolean atOnce(String id) {
        ReplicatedSessions current = sessions;
        return current != null && current.admitsAtOnce(id);
    }

    /** Whether requests find this session by the id. */
    boolean finds(String id, LiveSession session) {
        ReplicatedSessions current = sessions;
        return current != null && current.find(id) == session;
    }

    /** Whether it is one of the application's, not of those before the context's last start; also while it is stopped. */
    boolean has(LiveSession session) {
        ReplicatedSessions current = sessions;
        return current == null || current.has(session);
    }

    /** Whether the application holds all sessions that were announced, or does not run. */
    boolean ready() {
        ReplicatedSessions current = sessions;
        return current == null || current.ready();
    }

    /**
     * Jetty knows by itself that a context which starts or stops can't serve.
     *
     * @param ask whether other nodes may be asked for an id that is not known here
     */
    Admission arrive(String id, Request request, boolean ask) {
        ReplicatedSessions current = sessions;
        if (current == null) {
            return Admission.PROCEED;
        }
        return ask
                ? current.admit(
                        id, VersionCookies.borne(request, current.config().application()))
                : current.admitUnasked(id);
    }

    /** A response of this node while it lacks what the client has seen. */
    Settled behind() {
        ReplicatedSessions current = sessions;
        return current == null
                ? Settled.NOTHING
                : Settled.of(Outcome.PARTLY, current.config().application());
    }

    /**
     * Whether an application of this server has a session with this id that no request finds, but that is not over yet.
     */
    boolean endsAnywhere(String id) {
        return factory.ends(id);
    }

    /** Whether this application has one. */
    boolean ends(String id) {
        ReplicatedSessions current = sessions;
        LiveSession live = current == null ? null : current.find(id);
        return current != null && (live == null ? current.contains(id) : live.overdue());
    }

    /** The context path; empty for the root. */
    String contextPath() {
        Context served = context().getContext();
        String path = served == null ? null : served.getContextPath();
        return path == null || path.equals("/") ? "" : path;
    }

    /** Whether requests to this path of the server are this context's. */
    boolean serves(Request request, String path) {
        String prefix = contextPath();
        return path.startsWith(prefix)
                && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/')
                && (!(context().getContext() instanceof ContextHandler.ScopedContext scoped)
                        || scoped.getContextHandler().checkVirtualHost(request));
    }

    /** Takes the lock of the session that the request bears; {@code null} if it bears none, or does not take it. */
    @Nullable
    SessionLock lock(Request request, String path) {
        ReplicatedSessions current = sessions;
        String within = URIUtil.decodePath(path.substring(contextPath().length()));
        if (current == null || !current.locks(within.isEmpty() ? "/" : within)) {
            return null;
        }
        for (String id : RequestedIds.of(request, manager())) {
            if (current.contains(id)) {
                return current.lock(id);
            }
        }
        return null;
    }

    SessionManager manager() {
        return context().getSessionManager();
    }

    SessionContext context() {
        SessionContext current = context;
        if (current == null) {
            throw new IllegalStateException("the session data store was not initialized by its cache");
        }
        return current;
    }

    /** The loader that sees the application's classes and, through it, those of the container. */
    static ClassLoader loader(SessionContext sessionContext) {
        Context context = sessionContext.getContext();
        ClassLoader loader = context == null ? null : context.getClassLoader();
        if (loader == null) {
            loader = Thread.currentThread().getContextClassLoader();
        }
        return loader == null ? UnderstudySessionDataStore.class.getClassLoader() : loader;
    }

    @Override
    public SessionData newSessionData(
            String id, long created, long accessed, long lastAccessed, long maxInactiveMillis) {
        LiveSession live = sessions().create(id, UnderstudySessionData.seconds(maxInactiveMillis));
        return new UnderstudySessionData(live, context(), 0);
    }

    /** What it gives was saved before, or Jetty would take the session for a new one. */
    @Override
    public @Nullable SessionData load(String id) {
        LiveSession live = sessions().find(id);
        return live == null ? null : new UnderstudySessionData(live, context(), live.creationMillis());
    }

    @Override
    public boolean exists(String id) {
        return sessions().contains(id);
    }

    @Override
    public void store(String id, SessionData data) {
        if (data instanceof UnderstudySessionData ours) {
            ours.live().commit();
        }
    }

    @Override
    public boolean delete(String id) {
        LiveSession live = sessions().find(id);
        if (live == null) {
            return false;
        }
        live.invalidate();
        return true;
    }

    /** The cache asks the application itself; see {@link UnderstudySessionCache#checkExpiration}. */
    @Override
    public Set<String> getExpired(Set<String> candidates) {
        return Set.of();
    }

    /** Attributes are encoded when they changed, not when a session leaves memory: no activation events. */
    @Override
    public boolean isPassivating() {
        return false;
    }
}
