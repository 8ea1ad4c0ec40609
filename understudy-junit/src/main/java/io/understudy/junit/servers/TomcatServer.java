package io.understudy.junit.servers;

import io.understudy.codec.NotDecodableException;
import io.understudy.doctor.Likeness;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.catalina.Container;
import org.apache.catalina.Engine;
import org.apache.catalina.Service;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.SessionConfig;

/** A Tomcat that runs the application at a free port of the loopback interface. Threads: any. */
public final class TomcatServer implements AutoCloseable {

    /** The header by which a request bears its number; the application does not see it. */
    public static final String REQUEST_NUMBER = "understudy-junit-request";

    /** The address of all servers. */
    static final String LOOPBACK = "127.0.0.1";

    /** Has the container. */
    static final ClassLoader CLASS_PATH = Tomcat.class.getClassLoader();

    /** Has nothing but the container. */
    static final ClassLoader CONTAINER = new ContainerLoader(CLASS_PATH);

    /** An application that takes longer after its response is compared as it is then. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final AtomicLong SERVERS = new AtomicLong();

    private final String name;
    private final StandardContext context;
    private final Connector connector;
    private final RunningRequests requests;
    private final Runnable stop;

    /**
     * A server that has started.
     *
     * @param requests installed with {@link #prepare}
     * @param stop stops the server
     */
    TomcatServer(String name, StandardContext context, RunningRequests requests, Runnable stop) {
        this.name = name;
        this.context = context;
        Service service = Objects.requireNonNull(Container.getService(context), "a context that runs has a service");
        this.connector = service.findConnectors()[0];
        this.requests = requests;
        this.stop = stop;
        connector.setProxyName(LOOPBACK);
    }

    /** Sets up the engine of a server before it starts. */
    static void prepare(Engine engine, RunningRequests requests) {
        // Tomcat puts the engine's name into the names of its MBeans. Two servers with equal names can fail to start.
        engine.setName("understudy-junit-" + SERVERS.incrementAndGet());
        engine.setBackgroundProcessorDelay(-1); // No session expires in a test.
        engine.getPipeline().addValve(requests);
    }

    public String name() {
        return name;
    }

    /** Where the application is on the server: empty for the root. */
    public String contextPath() {
        return context.getPath();
    }

    /** The application sees the address with this port as its own from now on. */
    public void behind(int port) {
        connector.setProxyPort(port);
    }

    public int port() {
        return connector.getLocalPort();
    }

    /**
     * Describes attributes, in a thread that has the context class loader of the application's own: a library may look for
     * services there as its objects are read.
     *
     * @param attributes by name
     */
    public Map<String, Likeness> likenesses(Supplier<Map<String, Object>> attributes) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getLoader().getClassLoader());
        try {
            return described(attributes.get());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The application may change the objects at any time. */
    private static Map<String, Likeness> described(Map<String, Object> attributes) {
        Map<String, Likeness> likenesses = new TreeMap<>();
        attributes.forEach((name, value) -> likenesses.put(name, likeness(name, value)));
        return likenesses;
    }

    /** One that can't be read is described by the reason, which is the same on each node. */
    private static Likeness likeness(String name, Object value) {
        try {
            return Likeness.of(name, shown(value));
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            return Likeness.of(name, "not readable: " + e);
        }
    }

    private static Object shown(Object value) {
        return value instanceof NotDecodableException failure ? "not decodable: " + failure.getMessage() : value;
    }

    public StandardContext context() {
        return context;
    }

    public String sessionCookie() {
        return SessionConfig.getSessionCookieName(context);
    }

    /**
     * Waits until the code of the application has returned from a request, 10 seconds at most.
     *
     * @param request its number
     * @return whether it has
     */
    public boolean awaitReturned(String request) throws InterruptedException {
        return requests.await(request, LIMIT);
    }

    /**
     * Whether a request is asynchronous, and not over.
     *
     * @param request its number
     */
    public boolean asynchronous(String request) {
        return requests.asynchronous(request);
    }

    @Override
    public void close() {
        stop.run();
    }
}
