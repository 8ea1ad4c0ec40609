package io.understudy.network.stack;

import io.understudy.config.BindAddress;
import io.understudy.config.UnderstudyConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;

/**
 * The interface that the members talk on.
 *
 * <p>Threads: any.
 */
final class ScopedInterface {

    private static final Logger LOG = System.getLogger(ScopedInterface.class.getName());

    private final NetworkInterface at;

    private ScopedInterface(NetworkInterface at) {
        this.at = at;
    }

    /**
     * Finds the scope of the interface with {@code bindAddress}, and logs one line about it.
     *
     * @param news the level of that line
     */
    static ScopedInterface of(UnderstudyConfig config, Level news) {
        NetworkInterface at = BindAddress.at(config.bindAddress());
        LOG.log(
                news,
                "{0} - uses address {1} at interface {2}, MTU {3}{4}",
                config.nodeName(),
                BindAddress.text(config.bindAddress()),
                at.getName(),
                mtu(at),
                config.bindAddress().isLoopbackAddress() ? ": it reaches members on this machine only" : "");
        return new ScopedInterface(at);
    }

    private static String mtu(NetworkInterface at) {
        try {
            return String.valueOf(at.getMTU());
        } catch (SocketException e) {
            return "unknown";
        }
    }

    /** A group that is good on one link only (RFC 4007) with the link it is meant on; others as they are. */
    InetAddress here(InetAddress address) {
        if (address instanceof Inet6Address six && six.isMCLinkLocal()) {
            try {
                return Inet6Address.getByAddress(null, six.getAddress(), at);
            } catch (UnknownHostException e) {
                return address; // The interface has no IPv6.
            }
        }
        return address;
    }
}
