package io.understudy.network.transport;

import io.understudy.network.multicast.ReceiveBuffer;
import io.understudy.network.seal.SealFilter;
import io.understudy.sealing.FramePath;
import java.net.DatagramSocket;
import java.net.SocketException;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UDP;
import org.jspecify.annotations.Nullable;

/** JGroups' UDP with a {@link SealFilter}. On the wire it is UDP. Threads: as UDP. Public as JGroups looks into it. */
public final class SEALED_UDP extends UDP {

    private final SealFilter filter;
    private final SealFilter.Inbound inbound = new SealFilter.Inbound() {
        @Override
        public void deliver(Address from, byte[] text, int offset, int length) {
            SEALED_UDP.super.receive(from, text, offset, length);
        }

        @Override
        public void answer(Address from, byte[] frame, byte @Nullable [] text) throws Exception {
            sendUnicast((PhysicalAddress) from, frame, 0, frame.length);
        }
    };

    private final String node;
    private boolean told;

    /** @param node its name in logs */
    public SEALED_UDP(String node, SealFilter filter) {
        setId(ClassConfigurator.getProtocolId(UDP.class));
        this.node = node;
        this.filter = filter;
        setMcastRecvBufSize(ReceiveBuffer.BYTES).setUcastRecvBufSize(ReceiveBuffer.BYTES);
    }

    /**
     * Sets the buffers of both sockets. Only a small receive buffer is logged, once: a full send buffer makes its
     * sender wait.
     */
    @Override
    protected void setBufferSize(DatagramSocket socket, int sendBytes, int receiveBytes) {
        try {
            socket.setSendBufferSize(sendBytes);
            socket.setReceiveBufferSize(receiveBytes);
            told = told || ReceiveBuffer.tell(node, receiveBytes, socket.getReceiveBufferSize());
        } catch (SocketException e) {
            log.warn(node + ": could not set the buffer sizes of a socket", e);
        }
    }

    @Override
    public void doSend(byte[] buf, int offset, int length, Address dest) throws Exception {
        filter.send(buf, offset, length, dest, (bytes, from, count) -> super.doSend(bytes, from, count, dest));
    }

    @Override
    public void receive(Address sender, byte[] data, int offset, int length) {
        filter.receive(FramePath.DATAGRAM, sender, data, offset, length, inbound);
    }
}
