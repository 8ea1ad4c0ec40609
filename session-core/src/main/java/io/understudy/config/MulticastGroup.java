package io.understudy.config;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Reads {@code multicastAddress}: a group of the kind of address that {@code bindAddress} is. */
final class MulticastGroup {

    /** The same scope as the default's, site-local; like that one not assigned to anybody (RFC 4291, 2.7: flag T). */
    private static final String IPV6 = "ff15::78:0";

    private MulticastGroup() {}

    /** What is taken if none is set. */
    static InetAddress usual(InetAddress bind) {
        try {
            return InetAddress.getByName(
                    bind instanceof Inet6Address ? IPV6 : Setting.MULTICAST_ADDRESS.defaultValue());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // Both are addresses.
        }
    }

    static InetAddress read(SettingReader read, InetAddress bind) {
        if (!read.given(Setting.MULTICAST_ADDRESS)) {
            return usual(bind);
        }
        boolean six = bind instanceof Inet6Address;
        try {
            InetAddress group = InetAddress.getByName(read.nonEmpty(Setting.MULTICAST_ADDRESS));
            if (group.isMulticastAddress() && group instanceof Inet6Address == six) {
                return group;
            }
        } catch (UnknownHostException e) {
            // Falls through to the one message.
        }
        throw read.malformed(
                Setting.MULTICAST_ADDRESS,
                six
                        ? "must be an IPv6 multicast address (in ff00::/8), as 'bindAddress' is IPv6"
                        : "must be an IPv4 multicast address (224.0.0.0 to 239.255.255.255), as 'bindAddress' is IPv4",
                BindAddress.text(usual(bind)));
    }
}
