package io.understudy.network.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;

/** Whether an interface can be used for multicast at all. Whom it reaches only the others can tell. */
final class MulticastInterface {

    private MulticastInterface() {}

    /** Why the interface with this address can't be used for this group; empty if it can. */
    static String unfit(InetAddress address, InetAddress group) {
        if (address.isLoopbackAddress()) {
            return address.getHostAddress() + " is loopback";
        }
        try {
            NetworkInterface at = NetworkInterface.getByInetAddress(address);
            if (at == null || !at.supportsMulticast()) {
                return "the interface of " + address.getHostAddress() + " has no multicast";
            }
            try (MulticastSocket socket = new MulticastSocket()) {
                socket.joinGroup(new InetSocketAddress(group, 0), at);
            }
            return "";
        } catch (IOException e) {
            return address.getHostAddress() + " can't join " + group.getHostAddress() + ": " + e.getMessage();
        }
    }
}
