package io.understudy.network.stack;

import io.understudy.config.Transport;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.multicast.Multicast;
import io.understudy.network.multicast.MulticastReachability;
import io.understudy.network.transport.QUEUED_TCP;
import java.util.List;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UDP;
import org.jspecify.annotations.Nullable;

/** How the other members are reached by what this one sends to all, at one moment. */
public final class PeerRoutes {

    private final String named;
    private final Transport wanted;
    private final @Nullable Multicast multicast;
    private final boolean tls;
    private final int others;

    public PeerRoutes(UnderstudyConfig config, TP transport, int others) {
        this.named = config.discovery().jgroupsStack().isEmpty() ? "transport" : "jgroupsStack";
        this.wanted = named.equals("transport")
                ? config.transport()
                : transport instanceof UDP ? Transport.UDP : Transport.TCP;
        this.multicast = transport instanceof QUEUED_TCP tcp ? tcp.multicast() : null;
        this.tls = config.tls().given();
        this.others = others;
    }

    /** Members that are reached by multicast. */
    public long byMulticast() {
        return wanted == Transport.UDP ? others : multicast == null ? 0 : Math.min(others, multicast.hearers());
    }

    /** Members that are reached by TCP. */
    public long byTcp() {
        return others - byMulticast();
    }

    /** Datagrams that stood for copies to several members, with {@code transport = auto}. */
    public long datagramsSent() {
        return multicast == null ? 0 : multicast.datagrams();
    }

    /** Datagrams that were dropped: they were malformed, of another cluster, or of a node outside of the view. */
    public long datagramsDropped() {
        return multicast == null ? 0 : multicast.dropped();
    }

    /** Each member's way, since when and why. */
    public List<String> reached() {
        if (multicast == null) {
            return List.of("this node reaches all members by " + (wanted == Transport.UDP ? "multicast" : "TCP")
                    + (wanted == Transport.AUTO
                            ? (tls ? ", because TLS excludes multicast" : ", because multicast is not possible here")
                            : ", because '" + named + "' requires it"));
        }
        return others < MulticastReachability.FEWEST
                ? List.of("this node reaches all members by TCP, because there are fewer than "
                        + MulticastReachability.FEWEST)
                : multicast.reached();
    }
}
