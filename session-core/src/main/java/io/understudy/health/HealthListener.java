package io.understudy.health;

import io.understudy.threads.DaemonThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Accepts connections and reads their requests, in one thread that waits for no client. A client that sends nothing, or
 * reads nothing, keeps no other one waiting. The connections are bounded in number and time: when there is one too
 * many, the listener closes the oldest whose client it waits for.
 *
 * <p>Threads: a thread of its own calls the handler, which must not wait.
 */
public final class HealthListener implements AutoCloseable {

    /** What is answered. */
    @FunctionalInterface
    public interface Handler {
        /** @param answer takes the response, at once or later, from any thread; only the first counts */
        void handle(HealthRequest request, Consumer<HealthResponse> answer);
    }

    private static final Logger LOG = System.getLogger(HealthListener.class.getName());

    /** Above the probes and scrapes of any cluster at one moment. */
    static final int MAX_CONNECTIONS = 512;

    /** For a request to arrive, and again for the client to take the response. */
    static final Duration LIMIT = Duration.ofSeconds(5);

    /** Between two looks at deadlines, and before the next try when the system can't give a connection. */
    private static final long LOOK_AGAIN_MILLIS = 100;

    /** Connections that wait to be accepted; systems allow less, mostly 4096. With few, a burst makes clients try again after a second. */
    private static final int BACKLOG = 4096;

    /** Accepted in a row: a request that has arrived waits behind no more. */
    private static final int MAX_ACCEPTED = 64;

    private static final int CLOSE_MILLIS = 2000;

    private final String node;
    private final int maxConnections;
    private final long limitNanos;
    private final LongSupplier nanos;
    private final Handler handler;
    private final ServerSocketChannel server;
    private final Selector selector;
    private final SelectionKey accepting;
    private final int port;
    private final Thread thread;
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final Set<String> failures = ConcurrentHashMap.newKeySet();
    private final ByteBuffer scratch = ByteBuffer.allocate(HealthConnection.MAX_HEAD_BYTES);
    private final Set<HealthConnection> connections = new LinkedHashSet<>();
    private volatile boolean closed;

    private HealthListener(
            String node, InetSocketAddress at, int maxConnections, Duration limit, LongSupplier nanos, Handler handler)
            throws IOException {
        this.node = node;
        this.maxConnections = maxConnections;
        this.limitNanos = limit.toNanos();
        this.nanos = nanos;
        this.handler = handler;
        this.server = ServerSocketChannel.open();
        try {
            server.bind(at, BACKLOG);
            server.configureBlocking(false);
            this.selector = Selector.open();
            this.accepting = server.register(selector, SelectionKey.OP_ACCEPT);
            this.port = server.socket().getLocalPort();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        this.thread = DaemonThreads.of("understudy-" + node + "-health", this::run);
    }

    /**
     * Listens from now on.
     *
     * @throws IOException if the port is taken, or the address is not of this machine
     */
    public static HealthListener start(String node, InetSocketAddress at, Handler handler) throws IOException {
        return start(node, at, MAX_CONNECTIONS, LIMIT, System::nanoTime, handler);
    }

    /** @param nanos the clock of the limits */
    static HealthListener start(
            String node, InetSocketAddress at, int maxConnections, Duration limit, LongSupplier nanos, Handler handler)
            throws IOException {
        HealthListener listener = new HealthListener(node, at, maxConnections, limit, nanos, handler);
        boolean started = false;
        try {
            listener.thread.start();
            started = true;
        } finally {
            if (!started) {
                listener.end(); // No more threads: its port is not to stay taken.
            }
        }
        return listener;
    }

    public int port() {
        return port;
    }

    private void run() {
        long looked = System.nanoTime();
        while (!closed) {
            try {
                boolean idle = connections.isEmpty() && accepting.interestOps() != 0;
                selector.select(this::proceed, idle ? 0 : LOOK_AGAIN_MILLIS);
                for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
                    answer.run();
                }
                long now = System.nanoTime();
                if (now - looked >= TimeUnit.MILLISECONDS.toNanos(LOOK_AGAIN_MILLIS)) {
                    looked = now;
                    connections.stream().filter(HealthConnection::late).toList().forEach(this::close);
                    accepting.interestOps(SelectionKey.OP_ACCEPT);
                }
            } catch (Throwable e) {
                failed("can't listen for requests for now", e);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_AGAIN_MILLIS));
            }
        }
        end();
    }

    private void end() {
        List.copyOf(connections).forEach(this::close);
        try (selector) {
            server.close();
        } catch (IOException e) {
            failed("could not be closed", e);
        }
    }

    private void proceed(SelectionKey key) {
        if (key == accepting) {
            accept();
        } else if (key.attachment() instanceof HealthConnection connection) {
            guarded(connection, () -> connection.proceed(scratch, this));
        }
    }

    private void accept() {
        try {
            for (int i = 0; i < MAX_ACCEPTED; i++) {
                SocketChannel channel = server.accept();
                if (channel == null) {
                    return;
                }
                add(channel);
            }
        } catch (IOException e) { // Out of file descriptors, say.
            accepting.interestOps(0);
            closeOldest();
            failed("can't accept connections for now", e);
        }
    }

    private void add(SocketChannel channel) throws IOException {
        if (connections.size() >= maxConnections) {
            closeOldest();
        }
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            HealthConnection connection = new HealthConnection(channel, key, limitNanos, nanos);
            key.attach(connection);
            connections.add(connection);
        } catch (IOException | RuntimeException e) { // The client has gone again.
            channel.close();
        } catch (Error e) {
            channel.close();
            throw e;
        }
    }

    private void closeOldest() {
        connections.stream().filter(HealthConnection::clientsTurn).findFirst().ifPresent(this::close);
    }

    private void close(HealthConnection connection) {
        connections.remove(connection);
        try {
            connection.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0} - a connection was already closed: {1}", node, e);
        }
    }

    /** Hands a request over; called by its connection. */
    void handle(HealthRequest request, HealthConnection connection) throws IOException {
        try {
            handler.handle(request, response -> answer(connection, response));
        } catch (RuntimeException | Error e) {
            failed("can't answer " + request.method() + " " + request.path(), e);
            connection.answer(new HealthResponse(500, "this failed: " + e + "\n"));
        }
    }

    private void answer(HealthConnection connection, HealthResponse response) {
        if (Thread.currentThread() == thread) {
            guarded(connection, () -> connection.answer(response));
        } else {
            boolean handed = false;
            try {
                answers.add(() -> guarded(connection, () -> connection.answer(response)));
                handed = true;
            } finally {
                if (!handed) {
                    connection.giveUp();
                }
            }
            selector.wakeup();
        }
    }

    private interface Step {
        void take() throws IOException;
    }

    /** A client that has gone ends its connection, and nothing else; so does one for whose request there is no memory. */
    private void guarded(HealthConnection connection, Step step) {
        try {
            step.take();
        } catch (Throwable e) {
            close(connection);
        }
        if (!connection.open()) {
            connections.remove(connection);
        }
    }

    /** Throws nothing: its thread has to go on. */
    private void failed(String what, Throwable cause) {
        try {
            if (failures.size() < 100 && failures.add(what + cause)) {
                LOG.log(Level.WARNING, node + " - health port " + port + ": " + what, cause);
            }
        } catch (Throwable e) {
            return; // When it fails again there may be memory to tell of it.
        }
    }

    /** Closes all connections, without an answer to those that wait for one. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
