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
            " Nothing it sends is read, and it is no member. If it is to be one, give it the 'secret' and the 'clusterName' "
                    + "that the members have";

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
            case LENGTH ->
                once(why.name(), from, "what %s sends is too short or too long for a frame: it is no member");
            case UNSEALED ->
                once(
                        why.name(),
                        from,
                        "frames from %s do not open with this cluster's secret: they are not sealed, as it has none."
                                + WAY_OUT);
            case VERSION -> once(why.name(), from, "frames from %s are sealed in a version that is not read here");
            case SECRET ->
                once(
                        why.name(),
                        from,
                        "frames from %s do not open with this cluster's secret: its secret differs, or its cluster."
                                + WAY_OUT);
            case ALTERED ->
                once(
                        why.name(),
                        from,
                        "frames from %s are not as they were sealed: somebody changes or forges them on their way");
            case MISDIRECTED ->
                once(
                        why.name(),
                        from,
                        "frames from %s were sealed for another protocol: somebody captures frames of members and sends them to other ports");
            case REPLAYED ->
                once(why.name(), from, "frames from %s came before: somebody, or the network, repeats them");
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
                "%s seals what it sends, or refuses what is not sealed, and this node has no 'secret': it is outside of that "
                        + "cluster, in one of its own. Give it the secret of that cluster if it is to be a member");
    }

    /** A node without TLS is answered by one with it. */
    void tls(Address from) {
        metrics.count(Counter.FRAMES_REFUSED_LENGTH);
        once(
                "TLS",
                from,
                "%s talks TLS, and this node has no 'tlsKeyStore': it is outside of that cluster, in one of its own. Give it a "
                        + "certificate of that cluster's, in 'tlsKeyStore' and 'tlsTrustStore', if it is to be a member");
    }

    void refusedThere(Address from) {
        once(
                "THERE",
                from,
                "%s says that frames of this node do not open there: the secrets differ, or the clusters. This node is "
                        + "outside of that cluster, in one of its own. Give it the 'secret' and the 'clusterName' of that "
                        + "cluster if it is to be a member");
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
