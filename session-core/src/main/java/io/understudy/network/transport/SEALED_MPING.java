package io.understudy.network.transport;

import io.understudy.network.seal.SealFilter;
import io.understudy.network.seal.SealFilters;
import io.understudy.sealing.FramePath;
import io.understudy.threads.Failures;
import java.net.DatagramPacket;
import java.net.MulticastSocket;
import java.util.Objects;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.MPING;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * JGroups' MPING with a {@link SealFilter}. A sealed question begins with the address of its sender's transport, by which the sender is asked who it is, as nobody
 * reads at the socket it came from; then it is sent again.
 *
 * <p>Without a secret it is MPING on the wire. Threads: as MPING. Public as JGroups looks into it.
 */
public final class SEALED_MPING extends MPING {

    /** How often a question is sent again: each other member asks once. */
    private static final int AGAIN = 8;

    private final SealFilter filter;
    private final Failures failures;
    private byte @Nullable [] question;
    private int again;

    private final SealFilter.Inbound inbound = new SealFilter.Inbound() {
        @Override
        public void deliver(Address from, byte[] text, int offset, int length) {
            read(text, offset, length);
        }

        @Override
        public void answer(Address from, byte[] frame, byte @Nullable [] text) throws Exception {
            if (getTransport() instanceof BasicTCP transport) {
                IpAddress asker = new IpAddress();
                if (text != null) {
                    asker.readFrom(new ByteArrayDataInputStream(text, 0, text.length));
                } else { // It did not open: most nodes use the same port.
                    asker = new IpAddress(((IpAddress) from).getIpAddress(), transport.getBindPort());
                }
                transport.sendUnicast(asker, frame, 0, frame.length);
            }
        }
    };

    public SEALED_MPING(SealFilters seals, Failures failures) {
        setId(ClassConfigurator.getProtocolId(MPING.class));
        this.filter = seals.discovery();
        this.failures = failures;
        seals.whenChallenged(this::askAgain);
    }

    @Override
    protected void sendMcastDiscoveryRequest(Message msg) {
        if (!filter.sealed()) {
            super.sendMcastDiscoveryRequest(msg);
            return;
        }
        if (msg.getSrc() == null) {
            msg.setSrc(local_addr);
        }
        try {
            ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(msg.size() + 32);
            ((PhysicalAddress) down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, local_addr))).writeTo(out);
            msg.writeTo(out);
            synchronized (this) {
                question = out.getBuffer().getArray();
                again = AGAIN;
            }
            ask();
        } catch (Exception e) {
            log.error(local_addr + ": could not send a discovery request", e);
        }
    }

    private synchronized void askAgain() {
        if (again > 0) {
            again--;
            ask();
        }
    }

    private synchronized void ask() {
        byte[] text = question;
        if (text == null || mcast_send_sock == null) {
            return;
        }
        try {
            filter.send(
                    text,
                    0,
                    text.length,
                    null,
                    (bytes, offset, length) ->
                            mcast_send_sock.send(new DatagramPacket(bytes, offset, length, mcast_addr, mcast_port)));
        } catch (Exception e) {
            log.warn(local_addr + ": could not send a discovery request", e);
        }
    }

    @Override
    public void run() {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        while (mcast_receive_sock != null && Thread.currentThread().equals(receiver)) {
            try {
                packet.setLength(packet.getData().length);
                mcast_receive_sock.receive(packet);
                filter.receive(
                        FramePath.DATAGRAM,
                        new IpAddress(packet.getAddress(), packet.getPort()),
                        packet.getData(),
                        packet.getOffset(),
                        packet.getLength(),
                        inbound);
            } catch (Throwable e) {
                MulticastSocket socket = mcast_receive_sock;
                if (socket == null || socket.isClosed()) {
                    break;
                }
                failures.report("reading a discovery request", e);
            }
        }
    }

    private void read(byte[] text, int offset, int length) {
        try {
            ByteArrayDataInputStream in = new ByteArrayDataInputStream(text, offset, length);
            if (filter.sealed()) {
                new IpAddress().readFrom(in);
            }
            Message question = new BytesMessage();
            question.readFrom(in);
            if (!Objects.equals(local_addr, question.getSrc())) {
                up(question);
            }
        } catch (Exception e) {
            log.error(local_addr + ": could not read a discovery request", e);
        }
    }
}
