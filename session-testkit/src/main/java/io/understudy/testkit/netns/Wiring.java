package io.understudy.testkit.netns;

import java.util.List;

/**
 * How the hosts of a {@link Network} are joined.
 *
 * @param kind of all addresses
 * @param mtus of the hosts' interfaces, host by host, beginning again after the last; the bridge passes what any of them sends
 * @param interfaces of each host: {@code eth0}, {@code eth1} ..., each on a bridge of its own
 */
public record Wiring(Kind kind, List<Integer> mtus, int interfaces) {

    /** One interface with IPv4, as Ethernet is. */
    public static final Wiring USUAL = new Wiring(Kind.IPV4, List.of(1500), 1);

    /** Which addresses hosts have, and nothing else, on loopback neither. */
    public enum Kind {
        IPV4,
        IPV6
    }

    public static Wiring of(Kind kind) {
        return new Wiring(kind, List.of(1500), 1);
    }

    public static Wiring mtus(Integer... mtus) {
        return new Wiring(Kind.IPV4, List.of(mtus), 1);
    }

    public static Wiring interfaces(int interfaces) {
        return new Wiring(Kind.IPV4, List.of(1500), interfaces);
    }

    int mtu(int host) {
        return mtus.get(host % mtus.size());
    }

    String address(int link, int host) {
        return kind == Kind.IPV6
                ? "fd78:0:0:" + link + "::" + Integer.toHexString(host + 1)
                : "10.78." + link + "." + (host + 1);
    }
}
