package io.understudy;

import io.understudy.cluster.ClusterChannel;
import io.understudy.config.UnderstudyConfig;
import io.understudy.rehearsal.TakeOverRehearsal;
import io.understudy.replica.TimeSource;
import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.failures.KeptAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that would not survive a failure whole: those of other members that this node could not take over, and its
 * own that no other member could.
 *
 * <p>Threads: any; {@link #look} one at a time. Nothing here waits.
 */
final class TakeOvers {

    private final ClusterChannel channel;
    private final Collection<ApplicationAttributes> attributes;
    private final @Nullable TakeOverRehearsal rehearsal;
    private final LoneApplications lone;

    /**
     * @param attributes of each join of an application, as they come and go
     * @param rehearsal {@code null} if it is off
     */
    TakeOvers(
            ClusterChannel channel,
            Collection<ApplicationAttributes> attributes,
            @Nullable TakeOverRehearsal rehearsal,
            UnderstudyConfig config,
            TimeSource time) {
        this.channel = channel;
        this.attributes = attributes;
        this.rehearsal = rehearsal;
        this.lone = new LoneApplications(channel, config, time);
    }

    /** To be called about once in a second: logs what began, and what has ended. */
    void look() {
        lone.look();
        attributes.forEach(each -> each.kept().look());
    }

    /** Sessions of other members that this node could not take over whole, by reason; without those that are 0. */
    Map<String, Long> failingHere() {
        Map<String, Long> failing = new TreeMap<>();
        if (rehearsal != null) {
            rehearsal.failing().forEach((reason, sessions) -> failing.put(reason.key(), sessions));
        }
        failing.values().removeIf(sessions -> sessions == 0);
        return failing;
    }

    /** Sessions here that no other member could take over whole, by reason; without those that are 0. */
    Map<String, Long> failingElsewhere() {
        Map<String, Long> failing = new TreeMap<>();
        for (ApplicationAttributes each : attributes) {
            Map<KeptAttributes.Reason, Long> sessions = each.kept().sessions();
            sessions.forEach((reason, count) -> failing.merge(reason.key(), count, Long::sum));
        }
        failing.put(NodeGauges.ALONE, channel.figures().sessionsAlone());
        failing.values().removeIf(sessions -> sessions == 0);
        return failing;
    }

    /** A line for each cause, here and elsewhere. */
    List<String> failures() {
        List<String> failures = new ArrayList<>(rehearsal == null ? List.of() : rehearsal.failures());
        attributes.forEach(each -> failures.addAll(each.kept().lines()));
        failures.addAll(lone.lines());
        return failures;
    }

    /** Whether rehearsals go on, or are off. */
    boolean rehearsalHealthy() {
        return rehearsal == null || rehearsal.healthy();
    }

    /** A ready node remarks such sessions. They do not end its readiness: all nodes may have the same. */
    Readiness remarked(Readiness readiness) {
        if (!readiness.ready()) {
            return readiness;
        }
        Map<String, Long> elsewhere = failingElsewhere();
        String remark = elsewhere.entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", ", "sessions that would not survive elsewhere: ", ""));
        return readiness
                .remarked(rehearsal == null ? null : rehearsal.complaint())
                .remarked(elsewhere.isEmpty() ? null : remark);
    }
}
