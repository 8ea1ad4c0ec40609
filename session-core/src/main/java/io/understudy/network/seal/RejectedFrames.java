package io.understudy.network.seal;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.sealing.Refusal;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.stack.IpAddress;

/**
 * What became of frames that are not read: each is counted by its cause, and the first of each cause and host is logged.
 *
 * <p>Threads: any. An address may be forged, so at most 256 hosts are told apart.
 */
final class RejectedFrames {

    private static final Logger LOG = System.getLogger(RejectedFrames.class.getName());

    private static final int MAX_KNOWN = 256;

    /** How often a host is told that its frames do not open. */
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final String WAY_OUT =
            " This node reads nothing from it, and it is not a member. To make it a member, give it the 'secret' "
                    + "and the 'clusterName' of the members";

    private final String node;
    private final ReplicationMetrics metrics;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> told = new ConcurrentHashMap<>();

    RejectedFrames(String node, ReplicationMetrics metrics) {
        this.node = node;
        this.metrics = metrics;
    }

    void refused(Refusal why, Address from) {
        metrics.count(Counter.valueOf("FRAMES_REFUSED_" + why.name()));
        switch (why) {
            case LENGTH -> once(why.name(), from, "%s sends frames that are too short or too long: it is not a member");
            case UNSEALED ->
                once(
                        why.name(),
                        from,
                        "frames from %s do not open with this cluster's secret: they are not sealed, because the "
                                + "sender has no secret."
                                + WAY_OUT);
            case VERSION ->
                once(
                        why.name(),
                        from,
                        "frames from %s are sealed in a version that this node does not read: use the same release "
                                + "on both nodes");
            case SECRET ->
                once(
                        why.name(),
                        from,
                        "frames from %s do not open with this cluster's secret: the sender has another secret or "
                                + "another cluster name."
                                + WAY_OUT);
            case ALTERED ->
                once(
                        why.name(),
                        from,
                        "frames from %s were changed after they were sealed: somebody changes or forges them in the "
                                + "network");
            case MISDIRECTED ->
                once(
                        why.name(),
                        from,
                        "frames from %s were sealed for another protocol: somebody captures frames of members and "
                                + "sends them to other ports");
            case REPLAYED ->
                once(why.name(), from, "frames from %s arrived before: somebody, or the network, repeats them");
            case LATE, UNPROVEN -> {
                // Both are common while a member joins.
            }
        }
    }

    /** A node without a secret heard one that has it. */
    void sealed(Address from) {
        metrics.count(Counter.FRAMES_REFUSED_SECRET);
        once(
                "SEALED",
                from,
                "%s seals its frames, or refuses unsealed ones, but this node has no 'secret': the two nodes are "
                        + "not in one cluster. To make this node a member of that cluster, give it the 'secret' of "
                        + "that cluster");
    }

    /** A node without TLS is answered by one with it. */
    void tls(Address from) {
        metrics.count(Counter.FRAMES_REFUSED_LENGTH);
        once(
                "TLS",
                from,
                "%s uses TLS, but this node has no 'tlsKeyStore': the two nodes are not in one cluster. To make "
                        + "this node a member of that cluster, give it 'tlsKeyStore' and 'tlsTrustStore' with "
                        + "certificates of that cluster");
    }

    void refusedThere(Address from) {
        once(
                "THERE",
                from,
                "%s reports that frames of this node do not open there: the secrets or the cluster names differ, "
                        + "and the two nodes are not in one cluster. To make this node a member of that cluster, "
                        + "give it the 'secret' and the 'clusterName' of that cluster");
    }

    /** Who could not be reached just after it sent something asks, or is asked, again. */
    void unanswered(Address from, Exception why) {
        LOG.log(Level.DEBUG, "{0} - {1} got no answer: {2}", node, from, why);
    }

    /** Whether a host is to be told now that its frames do not open. */
    boolean tell(Address from) {
        long now = System.nanoTime();
        if (told.size() >= MAX_KNOWN) {
            told.values().removeIf(last -> now - last > TELL_NANOS);
        }
        Long last = told.get(host(from));
        if (last != null ? now - last <= TELL_NANOS : told.size() >= MAX_KNOWN) {
            return false;
        }
        told.put(host(from), now);
        return true;
    }

    private void once(String cause, Address from, String message) {
        if (logged.size() < MAX_KNOWN && logged.add(cause + " " + host(from))) {
            LOG.log(Level.WARNING, "{0} - {1}", node, message.replace("%s", from.toString()));
        }
    }

    private static String host(Address from) {
        return from instanceof IpAddress ip ? ip.getIpAddress().getHostAddress() : from.toString();
    }
}
