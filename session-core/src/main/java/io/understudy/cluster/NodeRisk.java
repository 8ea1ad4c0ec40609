package io.understudy.cluster;

import io.understudy.codec.Frame.Phase;
import io.understudy.replica.SessionKey;
import java.util.Collection;
import java.util.List;

/**
 * What would be lost with this node: changes that not every member holds which is to hold them, and all sessions of
 * applications that no other member is ready for.
 *
 * <p>Threads: any.
 */
final class NodeRisk {

    private final AckTracker tracker;
    private final Members members;
    private final Collection<ApplicationGroup> groups;

    /** @param groups this node's applications, as they come and go */
    NodeRisk(AckTracker tracker, Members members, Collection<ApplicationGroup> groups) {
        this.tracker = tracker;
        this.members = members;
        this.groups = groups;
    }

    /**
     * Sessions with changes that not every member holds which is to hold them, those that no member was told of, and all
     * sessions of applications that no other member is ready for.
     */
    long sessions() {
        List<ApplicationGroup> alone = heldHereOnly();
        return alone.isEmpty()
                ? tracker.atRisk().sessions() + unshared(groups)
                : tracker.atRisk().sessions(key -> !isOf(alone, key))
                        + alone.stream()
                                .mapToLong(group -> group.store().liveCount())
                                .sum()
                        + unshared(groups.stream()
                                .filter(group -> !alone.contains(group))
                                .toList());
    }

    private static long unshared(Collection<ApplicationGroup> groups) {
        return groups.stream().mapToLong(group -> group.store().unsharedCount()).sum();
    }

    /** All sessions of applications that no other member is ready for. */
    long sessionsAlone() {
        return heldHereOnly().stream()
                .mapToLong(group -> group.store().liveCount())
                .sum();
    }

    /** Bytes of those changes, and of the attributes of those sessions. */
    long bytes() {
        List<ApplicationGroup> alone = heldHereOnly();
        return alone.isEmpty()
                ? tracker.atRisk().bytes()
                : tracker.atRisk().bytes(key -> !isOf(alone, key))
                        + alone.stream()
                                .mapToLong(group -> group.store().attributeBytes())
                                .sum();
    }

    private List<ApplicationGroup> heldHereOnly() {
        return groups.stream()
                .filter(group -> group.ready()
                        && members.others(group.number(), Phase.READY).isEmpty())
                .toList();
    }

    private static boolean isOf(List<ApplicationGroup> groups, long key) {
        return groups.stream().anyMatch(group -> group.store().header(new SessionKey(key)) != null);
    }
}
