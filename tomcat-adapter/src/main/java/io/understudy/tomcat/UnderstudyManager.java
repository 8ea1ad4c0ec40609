package io.understudy.tomcat;

import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.threads.ContextLoader;
import io.understudy.tomcat.container.ApplicationName;
import io.understudy.tomcat.container.Connectors;
import io.understudy.tomcat.container.ContainerClasses;
import io.understudy.tomcat.container.JarSearch;
import io.understudy.tomcat.container.SessionIds;
import io.understudy.tomcat.container.SharedNode;
import io.understudy.tomcat.container.TomcatVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.DistributedManager;
import org.apache.catalina.Host;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Loader;
import org.apache.catalina.Session;
import org.apache.catalina.session.ManagerBase;
import org.apache.catalina.session.StandardSession;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's session manager with sessions that live on every node of the cluster.
 *
 * <pre>{@code
 * <Context>
 *   <Manager className="io.understudy.tomcat.UnderstudyManager" clusterName="shop" hosts="10.0.0.1:7800,10.0.0.2:7800"/>
 * </Context>
 * }</pre>
 *
 * Attributes of the element are the settings of {@link UnderstudyConfig}, those of Tomcat's own managers, and {@code
 * applicationName}; those of the node may be left to an {@link UnderstudyListener}. Embedded: {@code
 * context.setManager(new UnderstudyManager(config))}.
 *
 * <p>All applications of a JVM that name the same cluster share one node. When one stops in order, its sessions go on
 * elsewhere and no {@code sessionDestroyed} is fired; if only the application stops, to be deployed again, they also
 * stay on this node, for {@code retainUndeployed}.
 *
 * <p>Threads: as for any manager; {@link #findSession} never waits for the network.
 */
public final class UnderstudyManager extends ManagerBase implements DistributedManager {

    private final SessionTable table;
    private final Arrivals arrivals;

    /** Settings by name, until start makes a configuration of them. */
    private final Map<String, String> settings = new LinkedHashMap<>();

    private final @Nullable UnderstudyConfig givenConfig;
    private final @Nullable Understudy givenNode;
    private @Nullable String applicationName;

    /** Used while started with settings. */
    private final SharedNode shared = new SharedNode();

    private volatile @Nullable UnderstudyConfig config;
    private volatile @Nullable ReplicatedSessions replicated;

    /**
     * For Tomcat's configuration files: settings come by {@link #setProperty}.
     *
     * @throws ConfigException as all constructors, if this is a Tomcat, or a core of Understudy, that does not go
     *     with it
     */
    public UnderstudyManager() {
        this(null, null);
    }

    /** Uses the JVM's node of that cluster, which starts with the first application and stops with the server. */
    public UnderstudyManager(UnderstudyConfig config) {
        this(config, null);
    }

    /** Uses a node that the caller started and will close. */
    public UnderstudyManager(Understudy node) {
        this(null, node);
    }

    private UnderstudyManager(@Nullable UnderstudyConfig config, @Nullable Understudy node) {
        TomcatVersion.require();
        this.givenConfig = config;
        this.givenNode = node;
        this.table = new SessionTable(this);
        this.arrivals = new Arrivals(() -> replicated, table, this::config);
        this.sessions = table;
        setPersistAuthentication(true);
    }

    /** Takes an attribute that Tomcat finds no setter for. A wrong one makes {@link #start} fail. */
    public void setProperty(String name, String value) {
        settings.put(name, value);
    }

    /**
     * The name under which this application shares its sessions; by default its context path and version, behind its
     * host.
     */
    public String getApplicationName() {
        String given = applicationName;
        return given != null ? given : ApplicationName.of(getContext());
    }

    public void setApplicationName(String applicationName) {
        this.applicationName = applicationName;
    }

    @Override
    public void setContext(Context context) {
        super.setContext(context);
        JarSearch.leaveOutOwn(context);
    }

    @Override
    public String getName() {
        return "UnderstudyManager";
    }

    @Override
    protected void startInternal() throws LifecycleException {
        super.startInternal();
        SessionIds.checkRoute(getJvmRoute());
        boolean started = false;
        try {
            // The channel's threads inherit this thread's loader and outlive the application.
            ContextLoader.during(UnderstudyManager.class.getClassLoader(), this::join);
            started = true;
        } catch (ConfigException e) {
            throw new LifecycleException(e.getMessage(), e);
        } finally {
            if (!started) {
                giveUp();
            }
        }
        if (getContext().getParent() instanceof Host host) {
            UnderstudyHostValve.install(host);
        }
        BarrierFilter.install(getContext());
        setState(LifecycleState.STARTING);
    }

    private void join() {
        Understudy node = givenNode;
        if (node == null) {
            UnderstudyConfig own = givenConfig != null && settings.isEmpty() ? givenConfig : configFromProperties();
            node = shared.use(own);
            config = node.config().with(own.application());
        } else {
            // The embedding application started the node: the settings can be those of this application alone.
            config = node.config().with(node.config().application().with(settings));
        }
        ReplicatedSessions joined = node.join(
                getApplicationName(), this::applicationLoader, config().application(), ContainerClasses.NAMES);
        joined.bindRequests(RequestScope::ticket);
        joined.objectsGoBy(table::drop);
        joined.endsElsewhere(live -> asApplication(() -> table.objectOf(live).endedElsewhere()));
        joined.servedBy(this::accepting);
        joined.contextAttributes(() -> ContextChecks.contextAttributes(getContext()));
        replicated = joined;
        ContextChecks.started(this);
    }

    /** Tomcat does not stop a manager whose start failed. */
    private void giveUp() {
        ReplicatedSessions joined = replicated;
        replicated = null;
        if (joined != null) {
            joined.close();
        }
        shared.giveBack(getContext());
    }

    private UnderstudyConfig configFromProperties() {
        if (givenConfig != null) {
            throw new ConfigException("the settings " + settings.keySet()
                    + " have no effect: the manager was created with a complete configuration; set them there");
        }
        return UnderstudyListener.complete(Container.getService(getContext()), settings);
    }

    ClassLoader applicationLoader() {
        Loader loader = getContext().getLoader();
        ClassLoader application = loader == null ? null : loader.getClassLoader();
        return application != null ? application : UnderstudyManager.class.getClassLoader();
    }

    @Override
    protected void stopInternal() throws LifecycleException {
        setState(LifecycleState.STOPPING);
        ReplicatedSessions leaving = replicated;
        try {
            if (leaving != null) {
                handOver(leaving);
            }
        } finally {
            table.clear();
            shared.giveBack(getContext());
            super.stopInternal();
        }
    }

    /** Sent and acknowledged while this member still can; their listeners are not called, as they go on elsewhere. */
    private void handOver(ReplicatedSessions leaving) {
        try {
            List<Commit> last = new ArrayList<>();
            table.objects().forEach(session -> last.add(session.commits().handOver()));
            last.forEach(Commit::await);
        } finally {
            replicated = null;
            leaving.close();
        }
    }

    /** Tomcat does so, too, when another manager takes the place of this one. */
    @Override
    protected void destroyInternal() throws LifecycleException {
        super.destroyInternal();
        ContextChecks.destroyed(this, settings.keySet());
    }

    /** The sessions of the application while Tomcat runs its servlets; they are others after a reload. */
    @Nullable
    ReplicatedSessions served() {
        return getContext().getState().isAvailable() ? replicated : null;
    }

    /** Before it stops, Tomcat waits for requests in {@code STOPPING_PREP}, which is available still. */
    private boolean accepting() {
        return served() != null
                && getContext().getState() != LifecycleState.STOPPING_PREP
                && Connectors.accept(Container.getService(getContext()));
    }

    /** Whether requests can have replicated sessions: from the end of start to the beginning of stop. */
    boolean isReplicating() {
        return replicated != null;
    }

    /** Whether it is one of these, not of the application before its reload: a request may have begun before that. */
    boolean replicates(UnderstudySession session) {
        ReplicatedSessions sessions = replicated;
        return sessions != null && sessions.has(session.live());
    }

    /**
     * The sessions of the application on this node, as the core has them. For tests and tools.
     *
     * @throws IllegalStateException before start, and from the beginning of stop on
     */
    public ReplicatedSessions replicated() {
        ReplicatedSessions sessions = replicated;
        if (sessions == null) {
            throw new IllegalStateException(
                    "the sessions of " + getApplicationName() + " are not available: their manager is not started");
        }
        return sessions;
    }

    UnderstudyConfig config() {
        return Objects.requireNonNull(config, "not started");
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /** Takes note of a failure that a request goes on after. Does not fail. */
    void survived(String what, Throwable cause) {
        ReplicatedSessions sessions = replicated;
        if (sessions != null) {
            sessions.survived(what, cause);
        }
    }

    void forget(UnderstudySession session) {
        table.forget(session);
    }

    /** A request has used the session. */
    void used(UnderstudySession session) {
        if (replicates(session)) {
            table.keep(session);
        }
    }

    @Override
    protected StandardSession getNewSession() {
        return new UnderstudySession(this);
    }

    /** A new session. An id that this application's replicas know is not taken over from the client. */
    @Override
    public Session createSession(@Nullable String id) {
        return super.createSession(id != null && replicated().contains(SessionIds.bare(id)) ? null : id);
    }

    @Override
    public @Nullable Session findSession(@Nullable String id) {
        return id == null ? null : table.get(id);
    }

    /**
     * The sessions that this node is the owner of, as it used them last or inherited them: a list over all nodes has
     * each once. Makes their objects, which stay until the sessions are over, or there is no room for them.
     */
    @Override
    public Session[] findSessions() {
        ReplicatedSessions sessions = replicated;
        return sessions == null
                ? new Session[0]
                : sessions.ownedSessions().stream().map(table::objectOf).toArray(Session[]::new);
    }

    /** Their ids, separated by blanks. */
    @Override
    public String listSessionIds() {
        return Stream.of(findSessions()).map(Session::getIdInternal).collect(Collectors.joining(" "));
    }

    /** The session objects made so far. */
    Iterable<UnderstudySession> objects() {
        return table.objects();
    }

    /** Called with {@code update} when a session ends, before its attributes are unbound: it is forgotten after that. */
    @Override
    public void remove(Session session, boolean update) {
        super.remove(session, update);
        if (update) {
            ((UnderstudySession) session).detach();
        } else {
            table.forget((UnderstudySession) session);
        }
    }

    /** @throws IllegalStateException if the context's generator makes ids with a dot */
    @Override
    protected String generateSessionId() {
        return SessionIds.generated(super.generateSessionId(), getSessionIdGenerator(), getJvmRoute());
    }

    @Override
    protected void changeSessionId(
            Session session, String newId, boolean notifySessionListeners, boolean notifyContainerListeners) {
        String oldId = session.getIdInternal();
        UnderstudySession ours = (UnderstudySession) session;
        UnderstudySingleSignOn.renamed(ours, newId, () -> ours.rename(newId));
        session.tellChangedSessionId(session.getIdInternal(), oldId, notifySessionListeners, notifyContainerListeners);
    }

    /**
     * Ends the sessions that this node owns and nobody used for too long. Others do the same with theirs. Returns
     * after about 3 seconds at most: threads of the node do the rest.
     */
    @Override
    public void processExpires() {
        ReplicatedSessions sessions = replicated;
        if (sessions == null) {
            return;
        }
        long begin = System.nanoTime();
        sessions.expire(this::expire);
        table.sweep();
        processingTime += (System.nanoTime() - begin) / 1_000_000;
    }

    /** Each time: the web sockets of a user who was logged out on another node stay no longer than that. */
    @Override
    public void backgroundProcess() {
        super.backgroundProcess();
        table.sweep();
    }

    private void expire(LiveSession live) {
        asApplication(() -> {
            UnderstudySession session = table.objectOf(live);
            if (session.inUse()) {
                live.abandonEnd();
            } else {
                session.expireIdle();
            }
        });
    }

    /** In a thread of the node, but with the application's class loader, as in Tomcat's own thread. */
    void asApplication(Runnable work) {
        ContextLoader.during(applicationLoader(), work);
    }

    @Override
    public int getActiveSessionsFull() {
        ReplicatedSessions sessions = replicated;
        return sessions == null ? 0 : sessions.ids().size();
    }

    @Override
    public Set<String> getSessionIdsFull() {
        ReplicatedSessions sessions = replicated;
        return sessions == null ? Set.of() : Set.copyOf(sessions.ids());
    }

    /** Nothing to do: the other nodes have them. */
    @Override
    public void load() {}

    @Override
    public void unload() {}

    @Override
    public String toString() {
        UnderstudyConfig current = config;
        return getApplicationName() + (current == null ? "" : "@" + current.nodeName());
    }
}
