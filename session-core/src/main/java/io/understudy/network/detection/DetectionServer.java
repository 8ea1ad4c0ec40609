package io.understudy.network.detection;

import io.understudy.network.seal.ClaimedAddresses;
import io.understudy.network.seal.SealFilter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.blocks.cs.NioConnection;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.util.SocketFactory;
import org.jgroups.util.ThreadFactory;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * The port of failure detection, and the connections to those of others. What is said passes a {@link SealFilter}, and
 * who is asked and not there is found out without waiting for an answer.
 *
 * <p>Threads: any send; JGroups' selector has one that reads.
 */
final class DetectionServer extends NioServer implements SealFilter.Inbound {

    /** Longest message, in bytes. */
    static final int MAX_FRAME = 2048;

    /** So often a question is sent whose connection is closed meanwhile. */
    private static final int MAX_ATTEMPTS = 3;

    /** Most connections that others open; each member opens one at most. */
    static final int MAX_CONNECTIONS = 256;

    /** After a connection that could not be accepted, as for want of memory or of file descriptors. */
    private static final long AGAIN_NANOS = 100_000_000;

    /** Who asks, and is told. */
    interface Detection {

        /** The question that is asked at that port now; {@code null} if there is none. */
        @Nullable
        PortProbe asked(@Nullable Address port);

        /** Who asks goes on, and finds no answer. */
        void wake();

        /** A message came, of somebody who may be heard. */
        void take(Address from, byte[] text, int offset, int length) throws Exception;

        /** What somebody said was not understood. */
        void notUnderstood(Address from, Exception why);
    }

    private final SealFilter filter;
    private final Detection detection;

    /** Connections that other hosts opened, oldest first. The selector's thread uses it. */
    private final Set<NioConnection> accepted = new LinkedHashSet<>();

    /** Those that this member opened. */
    private final Set<NioConnection> made = ConcurrentHashMap.newKeySet();

    /** Peers over whose connections a frame was opened. */
    private final Set<Address> proven = ConcurrentHashMap.newKeySet();

    DetectionServer(
            ThreadFactory threads,
            SocketFactory sockets,
            InetAddress address,
            int port,
            InetAddress externalAddress,
            int externalPort,
            SealFilter filter,
            Detection detection)
            throws Exception {
        super(threads, sockets, address, port, port, externalAddress, externalPort, 0, "jgroups.nio.server.fd_sock");
        this.filter = filter;
        this.detection = detection;
        setMaxLength(MAX_FRAME);
    }

    /** JGroups closes them only if the server ran. */
    @Override
    public synchronized void stop() {
        super.stop();
        Util.close(channel);
        Util.close(selector);
    }

    @Override
    public void send(Address dest, byte[] data, int offset, int length) throws Exception {
        for (int attempts = 1; ; attempts++) {
            try {
                filter.send(data, offset, length, dest, (bytes, from, count) -> super.send(dest, bytes, from, count));
                return;
            } catch (ConnectException e) {
                PortProbe asked = detection.asked(dest);
                if (asked != null) {
                    asked.refute();
                }
                throw e;
            } catch (ClosedChannelException e) {
                // The selector's thread was first: nobody is there, or there is another connection. That shows when it
                // is sent again.
                if (attempts == MAX_ATTEMPTS || detection.asked(dest) == null) {
                    throw e;
                }
            }
        }
    }

    @Override
    protected NioConnection createConnection(Address dest) throws Exception {
        NioConnection connection = super.createConnection(dest);
        made.add(connection);
        PortProbe asked = detection.asked(dest);
        if (asked != null) {
            asked.over(connection);
        }
        return connection;
    }

    /**
     * A host that does not know the secret may open connections and claim addresses. If there are too many, the oldest
     * connection is closed over which no frame was opened.
     */
    @Override
    protected void handleAccept(SelectionKey key) throws Exception {
        super.handleAccept(key);
        accepted.removeIf(NioConnection::isClosed);
        made.removeIf(NioConnection::isClosed);
        for (SelectionKey each : selector.keys()) {
            if (each.attachment() instanceof NioConnection connection && !made.contains(connection)) {
                accepted.add(connection);
            }
        }
        if (accepted.size() > MAX_CONNECTIONS) {
            accepted.stream()
                    .filter(connection -> !isProven(connection))
                    .findFirst()
                    .ifPresent(connection -> super.closeConnection(connection, false));
        }
        ClaimedAddresses.forget(this, MAX_CONNECTIONS);
    }

    private boolean isProven(NioConnection connection) {
        Address peer = connection.peerAddress();
        return peer != null && proven.contains(peer) && conns.get(peer) == connection;
    }

    /** Java closes a connection that was refused. JGroups reports nothing for a connection that is closed already. */
    @Override
    public void closeConnection(@Nullable Connection connection, boolean notify) {
        if (connection == null) { // A connection that could not be accepted; JGroups tries again at once.
            LockSupport.parkNanos(AGAIN_NANOS);
            return;
        }
        boolean untold = notify && connection.isClosed();
        super.closeConnection(connection, notify);
        made.removeIf(NioConnection::isClosed);
        PortProbe asked = untold ? detection.asked(connection.peerAddress()) : null;
        if (asked != null && asked.isOver(connection)) {
            asked.refute();
            detection.wake();
        }
    }

    /** FD_SOCK2 calls this for a connection that got no answer. That does not show whether the member is there. */
    @Override
    public boolean closeConnection(Address port) {
        return closeConnection(port, false);
    }

    @Override
    public void deliver(Address from, byte[] text, int offset, int length) {
        if (proven.add(from) && proven.size() > MAX_CONNECTIONS) { // Without a secret any address is one.
            proven.retainAll(conns.keySet());
        }
        try {
            detection.take(from, text, offset, length);
        } catch (Exception e) {
            detection.notUnderstood(from, e);
            closeConnection(from, true);
        }
    }

    @Override
    public void answer(Address from, byte[] frame, byte @Nullable [] text) throws Exception {
        super.send(from, frame, 0, frame.length);
    }
}
