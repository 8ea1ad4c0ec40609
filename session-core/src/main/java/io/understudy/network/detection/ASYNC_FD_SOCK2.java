package io.understudy.network.detection;

import io.understudy.network.seal.SealFilter;
import io.understudy.sealing.FramePath;
import java.io.DataInput;
import java.io.EOFException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Membership;
import org.jgroups.Message;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArray;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.DefaultThreadFactory;
import org.jgroups.util.LazyThreadFactory;
import org.jgroups.util.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * FD_SOCK2 that does not hold up views, and suspects only whose end it has a sign of.
 *
 * <p>With each view FD_SOCK2 connects to the next member, in the thread that installs the view. A member that is cut
 * off answers at none of its four ports, and FD_SOCK2 waits for each. For 4 s it passes on neither the view nor
 * anything else from the sender of the view. Members that are cut off are seldom suspected all at once. So the first
 * view without one of them mostly has another one in it, and after a split requests wait twice as long as failure
 * detection takes.
 *
 * <p>Here one thread of its own connects, and a view waits for it 200 ms at most. It does not go on with a member that
 * is in the view no more, and reports a member whose connection broke before it looks for the next one.
 *
 * <p>FD_SOCK2 suspects every member that it finds no connection to. A member that stands still for a second while
 * connections are exchanged leaves the view long before failure detection by heartbeats would take it for dead. Here a
 * member is suspected if its connection breaks without a goodbye, or if all of its ports refuse connections, unless it
 * has already answered a suspicion for that reason. A member that gives no answer is watched by heartbeats, and queried
 * again. Meanwhile the one after it is watched.
 *
 * <p>What leaves its port and comes in there passes a {@link SealFilter}, too, and is {@value
 * DetectionServer#MAX_FRAME} bytes at most: it is a name and two addresses. A peer that sends anything else is cut off.
 * A peer that breaks a connection has a member suspected, which is then queried over the transport before it leaves the
 * view.
 *
 * <p>On the wire it is FD_SOCK2. Threads: as FD_SOCK2, and one more.
 */
public final class ASYNC_FD_SOCK2 extends FD_SOCK2 {

    private final SealFilter filter;
    private final FailureLog detections;
    private final PortReplies replies = new PortReplies();

    /** Whose connection broke, until that is told. */
    private final Set<Address> broken = ConcurrentHashMap.newKeySet();

    private volatile @Nullable ConnectThread connecting;
    private volatile @Nullable PortProbe question;
    /** Who takes it away tells of its end. */
    private final AtomicReference<@Nullable Link> link = new AtomicReference<>();

    /** The member that is watched over a connection, and where that leads. */
    private record Link(Address member, IpAddress port) {}

    /** @param detections receives each member whose connection was closed, here or elsewhere */
    public ASYNC_FD_SOCK2(SealFilter filter, FailureLog detections) {
        this.filter = filter;
        this.detections = detections;
        setId(ClassConfigurator.getProtocolId(FD_SOCK2.class));
        req_handler.setHandler(request -> {
            ConnectThread thread = connecting;
            if (thread != null) {
                thread.view(() -> handle(request));
            }
        });
    }

    /** What the server asks of this protocol, and tells it. */
    private final class Asking implements DetectionServer.Detection {

        @Override
        public @Nullable PortProbe asked(@Nullable Address port) {
            return askedAt(port);
        }

        @Override
        public void wake() {
            ASYNC_FD_SOCK2.this.wake();
        }

        /** FD_SOCK2 takes each answer for one to its latest question, wherever it comes from. */
        @Override
        public void take(Address from, byte[] text, int offset, int length) throws Exception {
            Message message = new EmptyMessage();
            message.readFrom(new ByteArrayDataInputStream(text, offset, length));
            FdHeader header = message.getHeader(id);
            if (header != null && kind(header) == FdHeader.CONNECT_RSP) {
                PortProbe asked = askedAt(from);
                if (asked == null) {
                    return;
                }
                asked.refute(); // Unless FD_SOCK2 finds that it is the member.
                asked.answer();
            }
            ASYNC_FD_SOCK2.super.receive(from, new ByteArrayDataInputStream(text, offset, length), length);
        }

        @Override
        public void notUnderstood(Address from, Exception why) {
            log.debug("%s: a message of %s could not be read: %s", local_addr, from, why);
        }
    }

    /** As FD_SOCK2's, but for the server's class. */
    @Override
    protected NioServer createServer(int[] ports) {
        ThreadFactory threads = getThreadFactory();
        if (threads instanceof DefaultThreadFactory factory
                && factory.useVirtualThreads()
                && Runtime.version().feature() < 24) {
            // Until JDK 24 a selector keeps the carrier of its virtual thread busy.
            threads = new LazyThreadFactory("jgroups", true, true)
                    .useVirtualThreads(false)
                    .log(log);
        }
        for (int port : ports) {
            try {
                return new DetectionServer(
                        threads,
                        getSocketFactory(),
                        bind_addr,
                        port,
                        external_addr,
                        external_port,
                        filter,
                        new Asking());
            } catch (Exception e) {
                log.debug("%s: port %d is taken: %s", local_addr, port, e);
            }
        }
        throw new IllegalStateException("none of the ports " + Arrays.toString(ports) + " is free on " + bind_addr);
    }

    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (length <= 0 || length > DetectionServer.MAX_FRAME || !(srv instanceof DetectionServer server)) {
            throw new EOFException("a message of " + length + " bytes"); // Ends the connection.
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        filter.receive(FramePath.SIDE, sender, frame, 0, length, server);
    }

    private static byte kind(FdHeader header) throws Exception {
        ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(header.serializedSize());
        header.writeTo(out);
        return out.buffer()[0];
    }

    private @Nullable PortProbe askedAt(@Nullable Address port) {
        PortProbe asked = question;
        return asked != null && asked.at(port) ? asked : null;
    }

    /**
     * If two members connect to each other at the same moment, one of the connections is closed. A member that now
     * watches another one closes its connection with a farewell. In both cases the members are there.
     */
    @Override
    public void connectionClosed(@Nullable Connection connection) {
        Address port = connection == null ? null : connection.peerAddress();
        if (connection == null || port == null || srv.connectionEstablishedTo(port)) {
            return;
        }
        PortProbe asked = askedAt(port);
        if (asked != null) {
            // Before this thread reads the link: the asking thread sets the link first, then looks whether the
            // connection was lost.
            asked.lost(connection.isClosedGracefully());
            if (!asked.answered()) { // FD_SOCK2 keeps the latest answer only.
                wake();
            }
        }
        Link watched = link.get();
        if (watched == null || !watched.port.equals(port) || !link.compareAndSet(watched, null)) {
            return;
        }
        if (connection.isClosedGracefully()) {
            later();
        } else if (!shutting_down) {
            broken(watched.member);
        }
    }

    /** FD_SOCK2 forgets the member at once, so what is done before it is told of would look for the next one. */
    private void broken(Address member) {
        log.debug("%s: connection to %s broke", local_addr, member);
        broken.add(member);
        ConnectThread thread = connecting;
        if (thread != null) {
            thread.execute(() -> connectToNextPingDest(null));
        }
    }

    /** Who asks waits for an answer: nobody's. */
    private void wake() {
        try {
            ByteArray nobody = messageToBuffer(
                    new EmptyMessage().setSrc(local_addr).putHeader(id, new FdHeader(FdHeader.CONNECT_RSP)));
            super.receive(
                    local_addr,
                    new ByteArrayDataInputStream(nobody.getArray(), nobody.getOffset(), nobody.getLength()),
                    nobody.getLength());
        } catch (Exception e) {
            log.debug("%s: waits for an answer until its time is over: %s", local_addr, e);
        }
    }

    private void later() {
        ConnectThread thread = connecting;
        if (thread != null) {
            thread.later();
        }
    }

    /** What the thread that connects asks of this protocol, and tells it. */
    private final class Connecting implements ConnectThread.Connector {

        @Override
        public boolean unconnected() {
            return members.size() > 1 && !connected();
        }

        @Override
        public void connectAgain() {
            ASYNC_FD_SOCK2.this.connectAgain();
        }

        @Override
        public void outOfReach() {
            Address member = members.getNext(local_addr);
            if (member != null && replies.firstOutOfReach(member, members.getMembers())) {
                log.warn(
                        "%s - no connection to %s for failure detection: expected an answer at one of %s. A firewall "
                                + "may block these ports. Until one of them answers, only heartbeats detect the end of "
                                + "that member",
                        local_addr, member, getPhysicalAddresses(member));
            }
        }

        @Override
        public void failed(Throwable why) {
            log.warn(local_addr + ": only heartbeats watch the next member until the next view", why);
        }
    }

    /** Whether there is a connection to the next member. */
    public boolean connected() {
        Link watched = link.get();
        return watched != null && watched.member.equals(members.getNext(local_addr));
    }

    void connectAgain() {
        Address next = members.getNext(local_addr);
        if (next == null || connected()) {
            return;
        }
        if (!broken.isEmpty()) { // Reported before ports are queried, which takes time.
            connectToNextPingDest(null);
            return;
        }
        if (connectTo(next, members)) {
            pingable_mbrs.add(next);
        } else {
            pingable_mbrs.remove(next);
            if (pingable_mbrs.size() <= 1) { // This member alone: those that gave no answer are asked again, too.
                pingable_mbrs.set(members.getMembers()).remove(next);
            }
            connectToNextPingDest(next);
        }
    }

    @Override
    public void start() throws Exception {
        connecting = new ConnectThread(getThreadFactory(), new Connecting());
        super.start();
    }

    @Override
    public void stop() {
        ConnectThread thread = connecting;
        if (thread != null) {
            thread.stop();
        }
        super.stop();
    }

    /** Breaks the connections without a farewell, and stops. */
    public void cut() {
        if (srv instanceof DetectionServer server) {
            server.clearConnections(false);
        }
        stop();
    }

    /** A connection that broke is a sign of the end, also if the member's ports were queried again meanwhile. */
    @Override
    protected void connectToNextPingDest(@Nullable Address missing) {
        Set<Address> suspects = new HashSet<>(broken);
        broken.removeAll(suspects);
        pingable_mbrs.remove(suspects);
        if (missing != null) {
            pingable_mbrs.remove(missing);
            if (!replies.silent(missing)) {
                suspects.add(missing);
            }
        }
        report(suspects);
        super.connectToNextPingDest(null);
    }

    @Override
    protected boolean connectTo(Address member, Membership present) {
        // A member that is watched in place of this one stays watched until it is left.
        link.updateAndGet(watched -> watched != null && watched.member.equals(member) ? null : watched);
        replies.queried(member);
        if (getPhysicalAddresses(member).isEmpty()) {
            replies.unanswered(member); // Nobody could be queried.
        }
        boolean connected = super.connectTo(member, present);
        if (connected) {
            replies.connected(member);
        } else {
            replies.unconnected(member);
        }
        return connected;
    }

    @Override
    protected boolean connectTo(IpAddress port, Address member) {
        if (!members.contains(member)) {
            return false;
        }
        PortProbe asked = new PortProbe(port);
        question = asked;
        Link made = new Link(member, port);
        boolean connected;
        try {
            // FD_SOCK2 takes an answer that comes too late from one port for the answer of the next one.
            connected = super.connectTo(port, member) && asked.answered();
            if (connected) {
                link.set(made); // Before the question ends: a connection that closes belongs to one of the two.
            }
        } finally {
            question = null;
        }
        if (!connected) {
            if (!asked.refuted()) {
                replies.unanswered(member);
            }
        } else if (asked.isLost()
                && !srv.connectionEstablishedTo(port)
                && link.compareAndSet(made, null)
                && asked.hasBroken()) {
            broken(member); // It answered, and ended.
        }
        return connected;
    }

    /** Drops members that gave no answer. */
    @Override
    protected void broadcastSuspectMessage(List<Address> suspects) {
        List<Address> answering = new ArrayList<>(suspects);
        answering.removeIf(replies::silent);
        report(answering);
    }

    /** Drops suspects that have left the view: otherwise they would be suspected again when they are back. */
    private void report(Collection<Address> suspects) {
        List<Address> present = new ArrayList<>(suspects); // Changed by who receives it, this member too.
        present.removeIf(suspect -> !members.contains(suspect));
        super.broadcastSuspectMessage(present);
    }

    /** Each member gets each suspicion, this one too. */
    @Override
    protected void suspect(Collection<Address> suspects) {
        suspects.stream()
                .filter(suspect -> members.contains(suspect) && !suspect.equals(local_addr))
                .forEach(detections::closed);
        super.suspect(suspects);
    }

    @Override
    protected void unsuspect(Address member) {
        detections.answered(member);
        replies.vouched(member, members.getMembers());
        super.unsuspect(member);
    }
}
