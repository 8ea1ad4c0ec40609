package io.understudy;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ChannelFigures;
import io.understudy.cluster.ClusterChannel;
import io.understudy.rehearsal.RehearsalReason;
import io.understudy.rehearsal.TakeOverRehearsal;
import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.failures.KeptAttributes;
import io.understudy.session.requests.RequestsInFlight;
import io.understudy.session.requests.WaitLimit;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A node's momentary figures by name. Each is computed when it is asked for, and no other one with it: some of them take time.
 *
 * <p>Threads: any.
 */
final class NodeGauges {

    /** How figures begin of other members' sessions that this node could not take over whole, by reason. */
    private static final String FAILING_HERE = "sessions_failing_here_";

    /** How figures begin of sessions that no other node could take over whole, by reason. */
    private static final String FAILING_ELSEWHERE = "sessions_failing_elsewhere_";

    /** The reason for sessions of applications that no other member is ready for. */
    static final String ALONE = "alone";

    /** {@code null} of a figure that the node does not have. */
    private final Map<String, Supplier<@Nullable Long>> figures;

    /** @param figures by name, which do not change */
    NodeGauges(Map<String, Supplier<@Nullable Long>> figures) {
        this.figures = Collections.unmodifiableMap(new TreeMap<>(figures));
    }

    /**
     * @param attributes of each join of an application, as they come and go
     * @param rehearsal {@code null} if it is off
     */
    static NodeGauges of(
            ClusterChannel channel,
            RequestsInFlight requests,
            WaitLimit waits,
            Collection<ApplicationAttributes> attributes,
            @Nullable TakeOverRehearsal rehearsal,
            BooleanSupplier ready) {
        ChannelFigures shown = channel.figures();
        Map<String, Supplier<@Nullable Long>> figures = new TreeMap<>();
        figures.put("members", () -> (long) channel.viewSize());
        figures.put("member_watched", () -> number(shown.watches()));
        figures.put("sessions", () -> sum(channel, group -> group.store().liveCount()));
        figures.put("requests_in_flight", requests::running);
        figures.put("requests_waiting", () -> (long) waits.waiting());
        figures.put("sessions_at_risk", shown::sessionsAtRisk);
        figures.put("bytes_at_risk", shown::bytesAtRisk);
        figures.put("changes_at_risk", shown::changesAtRisk);
        figures.put("node_coherent", () -> number(channel.nodeCoherent()));
        figures.put("cluster_coherent", () -> number(channel.clusterCoherent()));
        figures.put("locks_held", shown::locksHeld);
        figures.put("locks_waiting", shown::locksWaiting);
        figures.put("locks_at_home", shown::locksAtHome);
        figures.put("ends_claimed", () -> sum(channel, group -> group.expiry().claims()));
        figures.put("ends_promised", () -> sum(channel, group -> group.expiry().promises()));
        figures.put("ends_at_risk", () -> sum(channel, group -> group.expiry().endsAtRisk()));
        figures.put(
                "attributes_quarantined",
                () -> attributes.stream()
                        .mapToLong(each -> each.quarantine().size())
                        .sum());
        for (KeptAttributes.Reason reason : KeptAttributes.Reason.values()) {
            figures.put(
                    FAILING_ELSEWHERE + reason.key(),
                    () -> attributes.stream()
                            .mapToLong(each -> each.kept().sessions(reason))
                            .sum());
        }
        figures.put(FAILING_ELSEWHERE + ALONE, shown::sessionsAlone);
        if (rehearsal != null) {
            addRehearsal(figures, rehearsal);
        }
        figures.put("changes_held", shown::changesHeld);
        figures.put("changes_released", shown::changesReleased);
        figures.put("sessions_unsent", () -> (long) shown.unsentSessions());
        figures.put("replica_bytes", () -> channel.memory().bytes());
        figures.put("replica_bytes_bound", () -> channel.memory().bound());
        figures.put("object_bytes", () -> channel.memory().objectBytes());
        figures.put("sessions_spilled", () -> channel.memory().spilledSessions());
        figures.put("bytes_spilled", () -> channel.memory().spilledBytes());
        figures.put("spill_file_bytes", () -> channel.memory().fileBytes());
        figures.put("peers_by_multicast", () -> shown.reach().byMulticast());
        figures.put("peers_by_tcp", () -> shown.reach().byTcp());
        figures.put("datagrams_sent", () -> shown.reach().datagramsSent());
        figures.put("datagrams_dropped", () -> shown.reach().datagramsDropped());
        figures.put(
                "certificate_seconds_left",
                () -> shown.certificateLeft().map(left -> left.toSeconds()).orElse(null));
        figures.put("wire_version", () -> (long) channel.wireVersion());
        figures.put("ready", () -> number(ready.getAsBoolean()));
        return new NodeGauges(figures);
    }

    private static void addRehearsal(Map<String, Supplier<@Nullable Long>> figures, TakeOverRehearsal rehearsal) {
        figures.put("rehearsal_healthy", () -> number(rehearsal.healthy()));
        figures.put(
                "sessions_failing_here",
                () -> rehearsal.failing().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
        for (RehearsalReason reason : RehearsalReason.values()) {
            figures.put(FAILING_HERE + reason.key(), () -> rehearsal.failing(reason));
        }
    }

    private static long number(boolean is) {
        return is ? 1 : 0;
    }

    private static long sum(ClusterChannel channel, ToLongFunction<ApplicationGroup> figure) {
        return channel.groups().stream().mapToLong(figure).sum();
    }

    /** One figure, or {@code none} if the node does not have it. */
    long value(String name, long none) {
        Supplier<@Nullable Long> figure = figures.get(name);
        Long value = figure == null ? null : figure.get();
        return value == null ? none : value;
    }

    /** All figures that the node has. */
    Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        figures.forEach((name, figure) -> {
            Long value = figure.get();
            if (value != null) {
                all.put(name, value);
            }
        });
        return all;
    }
}
