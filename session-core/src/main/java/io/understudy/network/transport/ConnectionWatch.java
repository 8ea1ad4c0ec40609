package io.understudy.network.transport;

import io.understudy.network.seal.ClaimedAddresses;
import io.understudy.threads.Failures;
import java.net.SocketException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.blocks.cs.TcpConnection;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.util.ThreadFactory;

/**
 * Watches the connections of a running transport: one over which nothing came for long is replaced. With a secret, that
 * of a peer of which nothing was ever delivered is closed. Addresses that were claimed are forgotten if there are many.
 *
 * <p>Threads: one of its own; with TLS, one more for each connection that is replaced.
 */
final class ConnectionWatch {

    /** Seven heartbeats; less than half of the time that failure detection takes. */
    static final long MEMBER_SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    /** Above the longest time between two messages of MERGE3. */
    private static final long OTHER_SILENT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long LOOK_MILLIS = 250;

    /** Above the members of any cluster, and above the connections that there may be. */
    private static final int MAX_ADDRESSES = 1024;

    private final TcpServer server;
    private final ThreadFactory threads;
    private final HeardPeers heard;
    private final boolean sealed;
    private final boolean tls;
    private final Predicate<Address> member;
    private final LongAdder replaced;
    private final BiConsumer<Address, Exception> outOfReach;
    private final Failures failures;
    private final Set<Address> replacing = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService looking;
    private long lookedNanos = System.nanoTime();

    /**
     * @param sealed whether a peer proves by a frame that it has the secret
     * @param tls whether a new connection begins with a handshake
     * @param replaced counts the connections that were replaced
     * @param outOfReach receives peers that there was no new connection to, and why
     */
    ConnectionWatch(
            TcpServer server,
            ThreadFactory threads,
            HeardPeers heard,
            boolean sealed,
            boolean tls,
            Predicate<Address> member,
            LongAdder replaced,
            BiConsumer<Address, Exception> outOfReach,
            Failures failures) {
        this.server = server;
        this.threads = threads;
        this.heard = heard;
        this.sealed = sealed;
        this.tls = tls;
        this.member = member;
        this.replaced = replaced;
        this.outOfReach = outOfReach;
        this.failures = failures;
        this.looking = Executors.newSingleThreadScheduledExecutor(threads);
    }

    void start() {
        Runnable look = failures.survived("checking for silent connections", this::look);
        ScheduledFuture<?> unused =
                looking.scheduleWithFixedDelay(look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    void stop() {
        looking.shutdownNow();
    }

    private void look() {
        long now = System.nanoTime();
        if (now - lookedNanos > MEMBER_SILENT_NANOS) {
            heard.forgetTimes(); // This process stood still: what came meanwhile is not read yet.
        }
        Map<Address, Connection> stalled = new HashMap<>();
        Set<Address> connected = new HashSet<>();
        server.forAllConnections((peer, connection) -> {
            connected.add(peer);
            boolean silent = heard.silent(peer, longestSilence(peer), now);
            if (connection.isClosed() || (silent && sealed && !heard.proven(peer) && !member.test(peer))) {
                close(connection);
                server.removeConnectionIfPresent(peer, connection);
            } else if (silent) {
                stalled.put(peer, connection);
            }
        });
        heard.retain(connected);
        ClaimedAddresses.forget(server, MAX_ADDRESSES);
        stalled.forEach(this::replaceBeside);
        lookedNanos = System.nanoTime();
    }

    private long longestSilence(Address peer) {
        return member.test(peer) ? MEMBER_SILENT_NANOS : OTHER_SILENT_NANOS;
    }

    /** A handshake with a peer that stands still takes as long as it may. */
    private void replaceBeside(Address peer, Connection old) {
        if (!tls) {
            replace(peer, old);
        } else if (replacing.add(peer)) {
            Runnable task = () -> {
                try {
                    replace(peer, old);
                } finally {
                    replacing.remove(peer);
                }
            };
            try {
                threads.newThread(task, "replacing " + peer).start();
            } catch (Throwable e) {
                replacing.remove(peer); // The next look tries again.
                failures.report("replacing a connection", e);
            }
        }
    }

    /**
     * The old connection is not closed before: a thread that sends would make the next one itself, and wait for it although
     * the peer is out of reach.
     */
    private void replace(Address peer, Connection old) {
        Connection fresh = null;
        boolean replacedIt = false;
        try {
            fresh = new TcpConnection(peer, server);
            fresh.connect(peer);
            if (!server.running()) {
                throw new SocketException("this node stopped meanwhile");
            }
            close(old);
            server.replaceConnection(peer, fresh); // Before it is read: if it ends at once it is forgotten again.
            server.notifyConnectionEstablished(fresh);
            fresh.start();
            if (!server.running()) {
                close(fresh);
                server.removeConnectionIfPresent(peer, fresh); // A stop closes none that comes after it.
                throw new SocketException("this node stopped meanwhile");
            }
            heard.connected(peer);
            replaced.increment();
            replacedIt = true;
        } catch (Exception e) {
            outOfReach.accept(peer, e);
        } finally {
            if (!replacedIt && fresh != null) {
                close(fresh);
            }
        }
    }

    /** Without a word to the peer, which would only be kept for it if it does not read. */
    static void close(Connection connection) {
        try {
            connection.close(false);
        } catch (Exception e) {
            return; // It was closed already, or is broken: both is what was wanted.
        }
    }

    /** The same for the connection to a peer, if there is one. */
    static void close(TcpServer server, Address peer) {
        server.forAllConnections((address, connection) -> {
            if (address.equals(peer)) {
                close(connection);
            }
        });
    }
}
