package io.understudy.network.multicast;

import io.understudy.threads.Failures;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import org.jgroups.Address;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ThreadFactory;
import org.jgroups.util.Util;

/**
 * The sockets of a multicast group on one interface. Everything leaves through {@link #send}, and comes in through the
 * receiver.
 *
 * <p>Threads: any may send; one of its own receives.
 */
public final class Datagrams implements AutoCloseable {

    /** Largest, in bytes: of a datagram in many IP fragments, the loss of any loses all. */
    public static final int MAX = 16_000;

    private static final int SEND_BUFFER = 1_000_000;

    /** What comes in. */
    @FunctionalInterface
    interface Receiver {
        /** The bytes are the receiver's until it returns. What it throws is reported. */
        void arrived(Address from, byte[] bytes, int offset, int length);
    }

    private final InetSocketAddress group;
    private final Receiver receiver;
    private final MulticastSocket sending;
    private final MulticastSocket receiving;
    private final Failures failures;

    private Datagrams(
            InetSocketAddress group,
            Receiver receiver,
            MulticastSocket sending,
            MulticastSocket receiving,
            Failures failures) {
        this.group = group;
        this.receiver = receiver;
        this.sending = sending;
        this.receiving = receiving;
        this.failures = failures;
    }

    /** @param receiveBuffer bytes that are asked for; see {@link #receiveBuffer()} */
    static Datagrams open(
            InetAddress interfaceAddress,
            InetSocketAddress group,
            int receiveBuffer,
            ThreadFactory threads,
            Receiver receiver,
            Failures failures)
            throws IOException {
        NetworkInterface at = NetworkInterface.getByInetAddress(interfaceAddress);
        MulticastSocket sending = new MulticastSocket(new InetSocketAddress(interfaceAddress, 0));
        MulticastSocket receiving = null;
        try {
            sending.setNetworkInterface(at);
            sending.setTimeToLive(1);
            sending.setSendBufferSize(SEND_BUFFER);
            // Bound to the group, where the system can, it gets no datagrams of other groups on this port.
            receiving =
                    new MulticastSocket(Util.can_bind_to_mcast_addr ? group : new InetSocketAddress(group.getPort()));
            receiving.setReceiveBufferSize(receiveBuffer);
            receiving.joinGroup(group, at);
            Datagrams datagrams = new Datagrams(group, receiver, sending, receiving, failures);
            threads.newThread(datagrams::receive, "multicast").start();
            return datagrams;
        } catch (IOException | RuntimeException e) {
            Util.close(sending, receiving);
            throw e;
        }
    }

    /** Bytes that may wait to be read, as the system gave them. */
    int receiveBuffer() throws IOException {
        return receiving.getReceiveBufferSize();
    }

    /**
     * Sends one datagram to the group.
     *
     * @throws IOException if it did not leave this machine, as a firewall here does not let it
     */
    void send(byte[] bytes, int offset, int length) throws IOException {
        sending.send(new DatagramPacket(bytes, offset, length, group));
    }

    private void receive() {
        byte[] buffer = new byte[1 << 16];
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        while (!receiving.isClosed()) {
            try {
                packet.setLength(buffer.length);
                receiving.receive(packet);
                receiver.arrived(
                        new IpAddress(packet.getAddress(), packet.getPort()),
                        buffer,
                        packet.getOffset(),
                        packet.getLength());
            } catch (IOException e) {
                if (receiving.isClosed()) {
                    return; // Else it is an error that the network reported for an earlier one.
                }
            } catch (Throwable e) {
                failures.report("receiving a datagram", e);
            }
        }
    }

    @Override
    public void close() {
        Util.close(receiving, sending);
    }
}
