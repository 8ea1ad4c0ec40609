package io.understudy.network.transport;

import io.understudy.network.multicast.BeaconAckHeader;
import io.understudy.network.multicast.Multicast;
import io.understudy.network.seal.SealFilter;
import io.understudy.network.sockets.ChannelSocket;
import io.understudy.sealing.FramePath;
import io.understudy.threads.Failures;
import io.understudy.tls.Certificates;
import java.io.DataInput;
import java.io.EOFException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Global;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.annotations.MBean;
import org.jgroups.annotations.ManagedAttribute;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.conf.AttributeType;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jgroups.util.Bits;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * JGroups' TCP, but a member that does not read makes no other wait, and a connection that stalls is replaced.
 *
 * <p>The thread that sends writes to the sockets of its peers, and waits for none of them ({@link ChannelSocket}). What a
 * peer does not take is kept for it. Connections to members that left are closed hard: the message of a graceful end
 * would only be kept, too.
 *
 * <p>TCP sends lost packets again, and waits twice as long each time (RFC 6298, section 5.5): after a few seconds
 * without an answer up to 6.5 s, however well the network is by then. Members send something every half second, or
 * every second or two if they are in different views. If nothing came for longer, another connection is opened. It
 * takes the place of the old one if it succeeds.
 *
 * <p>All frames pass a {@link SealFilter}. Frames are read whole, and no longer ones than {@link
 * SealFilter#MAX_FRAME}. With a secret, a connection over which no frame opens is closed after some seconds, and
 * there are {@value #MAX_CONNECTIONS} connections at most.
 *
 * <p>With {@link #multicast}, a packet to all that its receivers can request again goes as one datagram to the members
 * that confirm multicast, and as copies to the others. Everything else goes over TCP.
 *
 * <p>Threads: as TCP, one that makes connections, and those of {@link Multicast}. Public as JGroups looks into it.
 */
@MBean(description = "TCP in which a member that does not read delays no other member")
public final class QUEUED_TCP extends TCP {

    /** Above any cluster's: a connection takes 128 KB of buffers. */
    private static final int MAX_CONNECTIONS = 256;

    private final HeardPeers heard = new HeardPeers();
    private final SealFilter filter;
    private final ThreadLocal<byte[]> frames = ThreadLocal.withInitial(() -> new byte[0]);
    private final SealFilter.Inbound inbound = new SealFilter.Inbound() {
        @Override
        public void deliver(Address from, byte[] text, int offset, int length) {
            heard.delivered(from);
            QUEUED_TCP.super.receive(from, text, offset, length);
        }

        @Override
        public void answer(Address from, byte[] frame, byte @Nullable [] text) throws Exception {
            sendUnicast((PhysicalAddress) from, frame, 0, frame.length);
        }
    };
    private final Failures failures;
    private final LongAdder replaced = new LongAdder();
    private volatile @Nullable ConnectionWatch watch;
    private @Nullable Multicast multicast;
    private @Nullable Certificates certificates;
    private volatile @Nullable PendingConnections openings;
    private volatile boolean serverRan;

    public QUEUED_TCP(SealFilter filter, Failures failures) {
        this.filter = filter;
        this.failures = failures;
        setId(ClassConfigurator.getProtocolId(TCP.class)); // On the wire it is TCP.
        setSocketFactory(TransportSockets.plain(failures));
        setBundler(new InlineBundler(this::sendNumbered));
    }

    /** To be called before the channel is made of it. */
    public QUEUED_TCP multicast(Multicast used) {
        multicast = used;
        return this;
    }

    /** The multicast beside TCP; {@code null} if there is none. */
    public @Nullable Multicast multicast() {
        return multicast;
    }

    /** To be called before the channel is made of it: its connections go over TLS. */
    public QUEUED_TCP certificates(Certificates used) {
        certificates = used;
        setSocketFactory(TransportSockets.overTls(used, failures));
        return this;
    }

    /** {@code null} if there is no TLS. */
    public @Nullable Certificates certificates() {
        return certificates;
    }

    @ManagedAttribute(description = "How each other member is reached, since when and why")
    public String getReached() {
        Multicast used = multicast;
        return used == null ? "all by TCP" : String.join("\n", used.reached());
    }

    @Override
    public void retainAll(Collection<Address> present) {
        srv.forAllConnections((peer, connection) -> {
            if (!present.contains(peer) && !isMember(peer)) {
                ConnectionWatch.close(connection);
            }
        });
        super.retainAll(present);
    }

    @ManagedAttribute(description = "Connections replaced because they were silent", type = AttributeType.SCALAR)
    public long getReplacedConnections() {
        return replaced.sum();
    }

    @Override
    public void start() throws Exception {
        try {
            super.start();
        } finally {
            if (srv == null && getSocketFactory() instanceof TransportSockets sockets) {
                sockets.closePort();
            }
        }
        srv.log(FarewellLog.of(log));
        openings = new PendingConnections(getThreadFactory());
        if (certificates != null) {
            certificates.start();
        }
        ConnectionWatch started = new ConnectionWatch(
                srv,
                getThreadFactory(),
                heard,
                filter.sealed(),
                certificates != null,
                this::isMember,
                replaced,
                (peer, why) -> log.trace("%s: %s is out of reach: %s", local_addr, peer, why),
                failures);
        started.start();
        watch = started;
    }

    @Override
    public void stop() {
        ConnectionWatch started = watch;
        if (started != null) {
            started.stop();
        }
        super.stop();
        if (multicast != null) {
            multicast.stop(); // Of a channel that failed as it connected it may be the only part that ran.
        }
        closeServerThatNeverRan();
        if (certificates != null) {
            certificates.close();
        }
        heard.clear();
    }

    /** JGroups closes only one that runs: of a stack that failed before it connected, the port would stay taken. */
    private void closeServerThatNeverRan() {
        TcpServer server = srv;
        if (server != null && !serverRan) {
            try {
                server.start();
            } catch (Exception e) {
                log.debug("%s: the server did not start before it was closed: %s", local_addr, e);
            } finally {
                server.stop();
            }
        }
    }

    @Override
    public void doSend(byte[] buf, int offset, int length, Address dest) throws Exception {
        filter.send(buf, offset, length, dest, (bytes, from, count) -> super.doSend(bytes, from, count, dest));
    }

    @Override
    public void sendUnicast(PhysicalAddress to, byte[] data, int offset, int length) throws Exception {
        PendingConnections beside = openings;
        TcpServer server = srv;
        if (server != null && beside != null && beside.needed(server, to)) {
            beside.send(server, to, data, offset, length);
            return;
        }
        boolean whole = false;
        try {
            super.sendUnicast(to, data, offset, length);
            whole = true;
        } catch (Exception e) {
            whole = true; // JGroups closes the connection.
            throw e;
        } finally {
            if (!whole && server != null) {
                ConnectionWatch.close(server, to); // After an error, a part of it may be with the peer.
            }
        }
    }

    @Override
    public void receive(Address sender, byte[] data, int offset, int length) {
        filter.receive(FramePath.DATAGRAM, sender, data, offset, length, inbound);
    }

    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (!filter.admits(sender, length)) {
            throw new EOFException("a frame of " + length + " bytes"); // Ends the connection.
        }
        byte[] frame = frames.get();
        if (frame.length < length) {
            frame = new byte[length];
            frames.set(frame);
        }
        in.readFully(frame, 0, length);
        try {
            filter.receive(FramePath.STREAM, sender, frame, 0, length, inbound);
        } catch (Throwable e) { // The connection has nothing to do with it; what is lost is sent again.
            failures.report("reading a frame of another member", e);
        }
    }

    /** Closes the newest connection if there are too many. {@link ConnectionWatch} forgets it. */
    @Override
    public void connectionEstablished(Connection connection) {
        if (filter.sealed() && srv.getNumConnections() >= MAX_CONNECTIONS && !isMember(connection.peerAddress())) {
            ConnectionWatch.close(connection);
        }
        super.connectionEstablished(connection);
    }

    @Override
    protected void handleConnect() throws Exception {
        super.handleConnect();
        serverRan = true;
        Multicast used = multicast;
        if (used != null) {
            used.start(new Carrying(), local_addr, getThreadFactory());
        }
    }

    @Override
    protected void handleDisconnect() {
        Multicast used = multicast;
        if (used != null) {
            used.stop();
        }
        super.handleDisconnect();
    }

    /** What the stack is to this transport's datagrams. */
    private final class Carrying implements Multicast.Carrier {

        @Override
        public void arrived(Address sender, byte[] bytes, int offset, int length) {
            int head = Global.SHORT_SIZE + Global.BYTE_SIZE;
            if (length < head || silent(sender) || !versionMatch(Bits.readShort(bytes, offset), sender)) {
                return;
            }
            byte flags = bytes[offset + Global.SHORT_SIZE];
            ByteArrayDataInputStream in = new ByteArrayDataInputStream(bytes, offset + head, length - head);
            if ((flags & LIST) == LIST) {
                handleMessageBatch(in, true);
            } else {
                handleSingleMessage(in, true);
            }
        }

        /** Datagrams are no sign of life: a member that is out of reach by TCP could be told nothing. */
        private boolean silent(Address sender) {
            PhysicalAddress peer = getPhysicalAddressFromCache(sender);
            return peer != null && heard.silent(peer, ConnectionWatch.MEMBER_SILENT_NANOS);
        }

        @Override
        public void confirm(Address to, BeaconAckHeader beacons) {
            QUEUED_TCP.this.down(new EmptyMessage(to)
                    .setFlag(Message.Flag.OOB, Message.Flag.NO_RELIABILITY, Message.Flag.NO_FC)
                    .putHeader(BeaconAckHeader.ID, beacons));
        }

        @Override
        public Collection<Address> members() {
            return members;
        }
    }

    /** Sends a packet to all members whose messages each of them asks for if it lacks them. */
    void sendNumbered(byte[] bytes, int offset, int length, int messages) throws Exception {
        Multicast used = multicast;
        List<Address> others = used == null ? null : used.send(bytes, offset, length, messages);
        if (others == null) {
            filter.send(bytes, offset, length, null, this::sendToAll);
            return;
        }
        List<PhysicalAddress> known = new ArrayList<>(others.size());
        List<Address> unknown = new ArrayList<>(0);
        for (Address member : others) {
            PhysicalAddress address = getPhysicalAddressFromCache(member);
            if (address == null) {
                unknown.add(member);
            } else {
                known.add(address);
            }
        }
        if (!known.isEmpty()) {
            filter.send(bytes, offset, length, null, (frame, from, count) -> sendUnicasts(known, frame, from, count));
        }
        if (!unknown.isEmpty()) {
            fetchPhysicalAddrs(unknown);
        }
    }

    /** A member asks for messages of this one again. */
    void askedAgain(Address member, int messages) {
        Multicast used = multicast;
        if (used != null) {
            used.askedAgain(member, messages);
        }
    }

    private boolean confirms(Multicast used, Message message) {
        BeaconAckHeader header = message.getHeader(BeaconAckHeader.ID);
        if (header != null) {
            used.confirmed(message.getSrc(), header);
        }
        return header != null;
    }

    @Override
    public void passMessageUp(Message message, boolean matchName, boolean multicasted, boolean discardOwn) {
        Multicast used = multicast;
        if (used == null || multicasted || !confirms(used, message)) {
            super.passMessageUp(message, matchName, multicasted, discardOwn);
        }
    }

    @Override
    public void passBatchUp(MessageBatch batch, boolean matchName, boolean discardOwn) {
        Multicast used = multicast;
        if (used != null && !batch.multicast()) {
            batch.removeIf(message -> confirms(used, message), true);
        }
        super.passBatchUp(batch, matchName, discardOwn);
    }

    private boolean isMember(Address peer) {
        return peer instanceof PhysicalAddress known && is_member.test(known);
    }
}
