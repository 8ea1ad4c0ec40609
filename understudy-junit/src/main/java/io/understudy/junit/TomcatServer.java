package io.understudy.junit;

import io.understudy.doctor.Likeness;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
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
final class TomcatServer implements AutoCloseable {

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

    String name() {
        return name;
    }

    /** Where the application is on the server: empty for the root. */
    String contextPath() {
        return context.getPath();
    }

    /** The application sees the address with this port as its own from now on. */
    void behind(int port) {
        connector.setProxyPort(port);
    }

    int port() {
        return connector.getLocalPort();
    }

    /**
     * Describes attributes, in a thread that has the context class loader of the application's own: a library may look for
     * services there as its objects are read.
     *
     * @param attributes by name
     */
    Map<String, Likeness> likenesses(Supplier<Map<String, Object>> attributes) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getLoader().getClassLoader());
        try {
            return Exchange.likenesses(attributes.get());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    StandardContext context() {
        return context;
    }

    String sessionCookie() {
        return SessionConfig.getSessionCookieName(context);
    }

    /**
     * Waits until the code of the application has returned from a request, 10 seconds at most.
     *
     * @return whether it has
     */
    boolean awaitReturned(String request) throws InterruptedException {
        return requests.await(request, LIMIT);
    }

    /** Whether a request is asynchronous, and not over. */
    boolean asynchronous(String request) {
        return requests.asynchronous(request);
    }

    @Override
    public void close() {
        stop.run();
    }
}
