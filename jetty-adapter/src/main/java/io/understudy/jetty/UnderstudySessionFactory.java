package io.understudy.jetty;

import io.understudy.Understudy;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.Admission;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.lock.SessionLock;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.session.AbstractSessionDataStoreFactory;
import org.eclipse.jetty.session.SessionCache;
import org.eclipse.jetty.session.SessionCacheFactory;
import org.eclipse.jetty.session.SessionContext;
import org.eclipse.jetty.session.SessionDataStore;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.component.Container;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Replicates the sessions of all contexts of a server: {@code server.addBean(new UnderstudySessionFactory(config))}
 * before the server starts is all there is to do.
 *
 * <p>It is the session cache factory and the session data store factory of the server. When the server starts it starts
 * the node and puts a handler in front of the contexts; when the server has stopped, after the contexts, it closes the
 * node. A setting that is unknown or wrong, or another such factory, makes the start of the server fail with a {@link
 * ConfigException}.
 *
 * <p>Threads: configured by one thread before the server starts; thereafter any.
 */
public final class UnderstudySessionFactory extends AbstractSessionDataStoreFactory
        implements SessionCacheFactory, LifeCycle.Listener, Container.Listener {

    private final Map<String, String> properties = new LinkedHashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Map<String, String>> applicationProperties = new HashMap<>();
    private final Set<UnderstudySessionDataStore> applications = new CopyOnWriteArraySet<>();
    private final ConflictingBeans others = new ConflictingBeans();
    private final @Nullable UnderstudyConfig config;
    private final @Nullable Understudy given;
    private int evictionPolicy = SessionCache.NEVER_EVICT;
    private volatile @Nullable Understudy node;
    private volatile @Nullable Server server;

    /** What applications have that have no settings of their own: a shared node may have been started with others. */
    private volatile @Nullable ApplicationConfig settings;

    /**
     * All defaults, and what {@link #setProperty} gives.
     *
     * @throws ConfigException as all constructors, if this is a Jetty, or a core of Understudy, that does not go with it
     */
    public UnderstudySessionFactory() {
        this(null, null);
    }

    /** The node of this JVM for the cluster that {@code config} names. */
    public UnderstudySessionFactory(UnderstudyConfig config) {
        this(config, null);
    }

    /** A node of its own, which its creator closes. */
    public UnderstudySessionFactory(Understudy node) {
        this(null, node);
    }

    private UnderstudySessionFactory(@Nullable UnderstudyConfig config, @Nullable Understudy given) {
        JettyVersion.require();
        this.config = config;
        this.given = given;
    }

    /**
     * Gives a setting as text, as XML does; checked when the server starts. A null value is no value.
     *
     * @throws ConfigException if the factory was made with a configuration or a node
     */
    public void setProperty(String name, @Nullable String value) {
        if (config != null || given != null) {
            throw new ConfigException("setting '" + name + "' can't be set on a session factory that was created "
                    + "with a configuration or a node; set it there, or use the constructor without arguments");
        }
        if (value != null) {
            properties.put(name, value);
        }
    }

    /**
     * Looks through the ini files of a Jetty base for properties {@code understudy.*} that are no settings; for the module.
     *
     * @throws ConfigException naming the file, the property and the nearest setting
     */
    public void checkPropertiesOf(String jettyBase) {
        BaseProperties.check(Path.of(jettyBase));
    }

    /**
     * Names the application at a context path, instead of its path and first virtual host. Contexts of that name on
     * other nodes share their sessions with it.
     *
     * @param contextPath as in the context, {@code "/"} for the root
     */
    public void setApplicationName(String contextPath, String name) {
        names.put(contextPath, name);
    }

    /**
     * Gives a context a setting of its own, of those that an application can have; what it is checked against is known
     * when the context starts, which fails if it is wrong.
     *
     * @param contextPath as in the context, {@code "/"} for the root
     */
    public void setApplicationProperty(String contextPath, String name, String value) {
        applicationProperties
                .computeIfAbsent(contextPath, path -> new LinkedHashMap<>())
                .put(name, value);
    }

    /**
     * When live session objects are dropped from memory; their replicas stay.
     *
     * @param policy {@link SessionCache#NEVER_EVICT} (the default), {@link SessionCache#EVICT_ON_SESSION_EXIT}, or an idle
     *     time in seconds. A session that is dropped loses the attributes that can't be encoded.
     */
    public void setEvictionPolicy(int policy) {
        evictionPolicy = policy;
    }

    @Override
    public SessionCache getSessionCache(SessionManager manager) {
        UnderstudySessionCache cache = new UnderstudySessionCache(manager);
        cache.setEvictionPolicy(evictionPolicy);
        return cache;
    }

    @Override
    public SessionDataStore getSessionDataStore(SessionManager manager) {
        return new UnderstudySessionDataStore(this);
    }

    @Override
    public void lifeCycleStarting(LifeCycle event) {
        if (event instanceof Server server && node == null) {
            ConflictingBeans.refuse(server, this);
            server.addEventListener(others);
            UnderstudyConfig configured = config != null ? config : UnderstudyConfig.fromProperties(properties);
            Understudy started = given != null ? given : Understudy.shared(configured);
            settings = (given != null ? given.config() : configured).application();
            node = started;
            this.server = server;
            goInFront(server);
        }
    }

    /**
     * Jetty starts the beans of a server in their order, and what is put in front of its handlers goes to the end of it.
     * So that is done as early as possible: deployers that were to start after the handlers still do.
     */
    @Override
    public void beanAdded(Container parent, Object child) {
        if (child == this && parent instanceof Server server && server.getHandler() != null) {
            goInFront(server);
        }
    }

    @Override
    public void beanRemoved(Container parent, Object child) {}

    private void goInFront(Server server) {
        if (server.getDescendant(UnderstudyHandler.class) == null) {
            server.insertHandler(new UnderstudyHandler(this));
        }
    }

    /** When a connector fails, Jetty lets the contexts run, and goes on with them if the server is started again. */
    @Override
    public void lifeCycleFailure(LifeCycle event, Throwable cause) {
        if (!(event instanceof Server failed
                && failed.getHandler() != null
                && failed.getHandler().isRunning())) {
            leave(event);
        }
    }

    /** Not sooner: the contexts stop before that, and still commit. */
    @Override
    public void lifeCycleStopped(LifeCycle event) {
        leave(event);
    }

    private void leave(LifeCycle event) {
        Understudy current = node;
        if (event instanceof Server && current != null) {
            node = null;
            if (given == null) {
                current.close();
            }
        }
    }

    /**
     * The running node.
     *
     * @throws IllegalStateException if the server did not start with this bean
     */
    Understudy node() {
        Understudy current = node;
        if (current == null) {
            throw new IllegalStateException("the session factory has no node: add the factory as a bean to one "
                    + "server, before that server starts");
        }
        return current;
    }

    /** Joins the application of a context, which may overlap with the one that it is deployed in place of. */
    ReplicatedSessions join(UnderstudySessionDataStore store, SessionContext context) {
        ReplicatedSessions joined = node().join(
                        applicationName(context),
                        () -> UnderstudySessionDataStore.loader(context),
                        settings(path(context)),
                        ContainerClasses.NAMES);
        joined.servedBy(() -> available(context) && accepting());
        applications.add(store);
        return joined;
    }

    private static boolean available(SessionContext context) {
        return !(context.getContext() instanceof ContextHandler.ScopedContext scoped)
                || scoped.getContextHandler().isAvailable();
    }

    /**
     * Jetty starts connectors after contexts; Spring Boot gives them to the server when its own context is complete. A
     * graceful shutdown closes their ports before it waits for requests.
     */
    private boolean accepting() {
        Server running = server;
        return running != null
                && Arrays.stream(running.getConnectors())
                        .anyMatch(connector -> connector.isStarted() && !connector.isShutdown());
    }

    void left(UnderstudySessionDataStore store) {
        applications.remove(store);
    }

    /**
     * Makes this node ready for the sessions whose ids the request bears. All applications are asked: rewriting and dispatches
     * between contexts may lead the request to any of them, and a complete one answers at once. The application that the
     * path is of comes first, as few ids that this node does not know are {@linkplain Questions looked up} on other nodes.
     *
     * @return what the response is by that alone; {@code null} if this node can't serve the request
     */
    @Nullable
    Settled admit(Request request) {
        Settled settled = Settled.NOTHING;
        Questions questions = new Questions();
        for (UnderstudySessionDataStore application : targetFirst(request)) {
            for (String id : RequestedIds.of(request, application.manager())) {
                if (application.atOnce(id)) {
                    continue;
                }
                boolean ask = application.knows(id) || questions.mayAsk(id, application.ready());
                Admission arrival = application.arrive(id, request, ask);
                if (arrival == Admission.UNAVAILABLE) {
                    return null;
                }
                if (arrival == Admission.BEHIND) {
                    settled = settled.and(application.behind());
                }
            }
        }
        return settled;
    }

    /** Whether an application has a session with this id that no request finds, but that is not over yet. */
    boolean ends(String id) {
        return applications.stream().anyMatch(application -> application.ends(id));
    }

    /**
     * Takes the lock of the session that the request bears in the context it is for, if requests to its path take it.
     *
     * @return {@code null} if they do not
     */
    @Nullable
    SessionLock lock(Request request) {
        String path = request.getHttpURI().getCanonicalPath();
        UnderstudySessionDataStore target = target(request);
        return target == null || path == null ? null : target.lock(request, path);
    }

    /** The application whose context the request's path is of; {@code null} if there is none. */
    private @Nullable UnderstudySessionDataStore target(Request request) {
        String path = request.getHttpURI().getCanonicalPath();
        UnderstudySessionDataStore target = null;
        for (UnderstudySessionDataStore application : applications) {
            if (path != null
                    && application.serves(request, path)
                    && (target == null
                            || application.contextPath().length()
                                    > target.contextPath().length())) {
                target = application;
            }
        }
        return target;
    }

    private Collection<UnderstudySessionDataStore> targetFirst(Request request) {
        if (applications.size() < 2) {
            return applications; // As on most servers.
        }
        UnderstudySessionDataStore target = target(request);
        return applications.stream()
                .sorted(Comparator.comparing(application -> !application.equals(target)))
                .toList();
    }

    /** Takes note of a failure that a request goes on after. Does not fail. */
    void survived(String what, Throwable cause) {
        UnderstudySessionDataStore application = anyApplication();
        if (application != null) {
            application.survived(what, cause);
        }
    }

    private @Nullable UnderstudySessionDataStore anyApplication() {
        try {
            return applications.stream().findAny().orElse(null);
        } catch (Throwable e) {
            return null; // There is no memory to look for one.
        }
    }

    /** The context path, so that the same WAR has the same name on every container; with a virtual host, behind it. */
    private String applicationName(SessionContext context) {
        String path = path(context);
        String host = context.getVhost().equals(SessionContext.NULL_VHOST) ? "" : context.getVhost();
        return names.getOrDefault(path, host + path);
    }

    private static String path(SessionContext context) {
        String path = context.getContext() == null ? "" : context.getContext().getContextPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    private ApplicationConfig settings(String contextPath) {
        return Objects.requireNonNull(settings, "not started")
                .with(applicationProperties.getOrDefault(contextPath, Map.of()));
    }
}
