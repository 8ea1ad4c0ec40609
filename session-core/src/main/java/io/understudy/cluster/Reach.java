package io.understudy.cluster;

import io.understudy.config.Transport;
import java.util.List;
import org.jgroups.protocols.TP;
import org.jspecify.annotations.Nullable;

/** How the other members are reached by what this one sends to all, at one moment. */
public final class Reach {

    private final Transport wanted;
    private final @Nullable Multicast multicast;
    private final int others;

    Reach(Transport wanted, TP transport, int others) {
        this.wanted = wanted;
        this.multicast = transport instanceof STEADY_TCP tcp ? tcp.multicast() : null;
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

    /** Datagrams that were dropped as they were malformed, of another cluster, or of who is not in the view. */
    public long datagramsDropped() {
        return multicast == null ? 0 : multicast.dropped();
    }

    /** Each member's way, since when and why. */
    public List<String> reached() {
        if (multicast == null) {
            return List.of("all are reached by " + (wanted == Transport.UDP ? "multicast" : "TCP")
                    + (wanted == Transport.AUTO ? ", as multicast is not possible here" : ", as 'transport' says"));
        }
        return others < Hearing.FEWEST
                ? List.of("all are reached by TCP, as there are fewer than " + Hearing.FEWEST)
                : multicast.reached();
    }
}
