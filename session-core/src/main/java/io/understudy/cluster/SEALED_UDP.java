package io.understudy.cluster;

import io.understudy.sealing.Way;
import java.net.DatagramSocket;
import java.net.SocketException;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UDP;
import org.jspecify.annotations.Nullable;

/** JGroups' UDP with a {@link Gate}. On the wire it is UDP. Threads: as UDP. Public as JGroups looks into it. */
public final class SEALED_UDP extends UDP {

    private final Gate gate;
    private final Gate.Entrance entrance = new Gate.Entrance() {
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
    SEALED_UDP(String node, Gate gate) {
        setId(ClassConfigurator.getProtocolId(UDP.class));
        this.node = node;
        this.gate = gate;
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
        gate.leave(buf, offset, length, dest, (bytes, from, count) -> super.doSend(bytes, from, count, dest));
    }

    @Override
    public void receive(Address sender, byte[] data, int offset, int length) {
        gate.enter(Way.DATAGRAM, sender, data, offset, length, entrance);
    }
}
