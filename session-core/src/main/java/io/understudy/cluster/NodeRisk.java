package io.understudy.cluster;

import io.understudy.cluster.delivery.AckTracker;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.replica.SessionKey;
import io.understudy.wire.Frame.Phase;
import java.util.List;
import java.util.function.Supplier;

/**
 * What would be lost with this node: changes that not every member holds which is to hold them, and all sessions of
 * applications that no other member is ready for.
 *
 * <p>Threads: any.
 */
final class NodeRisk {

    private final AckTracker tracker;
    private final Members members;
    private final Supplier<List<LocalApplication>> applications;

    /** @param applications this node's, as they are when it is called */
    NodeRisk(AckTracker tracker, Members members, Supplier<List<LocalApplication>> applications) {
        this.tracker = tracker;
        this.members = members;
        this.applications = applications;
    }

    /**
     * Sessions with changes that not every member holds which is to hold them, those that no member was told of, and all
     * sessions of applications that no other member is ready for.
     */
    long sessions() {
        List<LocalApplication> all = applications.get();
        List<LocalApplication> alone = heldHereOnly(all);
        return alone.isEmpty()
                ? tracker.atRisk().sessions() + unshared(all)
                : tracker.atRisk().sessions(key -> !isOf(alone, key))
                        + alone.stream()
                                .mapToLong(application -> application.store().liveCount())
                                .sum()
                        + unshared(all.stream()
                                .filter(application -> !alone.contains(application))
                                .toList());
    }

    private static long unshared(List<LocalApplication> applications) {
        return applications.stream()
                .mapToLong(application -> application.store().unsharedCount())
                .sum();
    }

    /** All sessions of applications that no other member is ready for. */
    long sessionsAlone() {
        return heldHereOnly(applications.get()).stream()
                .mapToLong(application -> application.store().liveCount())
                .sum();
    }

    /** Bytes of those changes, and of the attributes of those sessions. */
    long bytes() {
        List<LocalApplication> alone = heldHereOnly(applications.get());
        return alone.isEmpty()
                ? tracker.atRisk().bytes()
                : tracker.atRisk().bytes(key -> !isOf(alone, key))
                        + alone.stream()
                                .mapToLong(application -> application.store().attributeBytes())
                                .sum();
    }

    private List<LocalApplication> heldHereOnly(List<LocalApplication> all) {
        return all.stream().filter(this::alone).toList();
    }

    /** Whether this node is ready for an application, and no other member is. */
    boolean alone(LocalApplication application) {
        return application.ready()
                && members.others(application.number(), Phase.READY).isEmpty();
    }

    private static boolean isOf(List<LocalApplication> applications, long key) {
        return applications.stream().anyMatch(application -> application.store().header(new SessionKey(key)) != null);
    }
}
