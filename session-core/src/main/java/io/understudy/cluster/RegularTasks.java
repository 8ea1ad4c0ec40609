package io.understudy.cluster;

import io.understudy.cluster.delivery.AckTracker;
import io.understudy.cluster.locking.ClusterLocks;
import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.config.UnderstudyConfig;
import io.understudy.threads.Failures;
import java.time.Duration;
import java.util.Collection;

/**
 * What a node does about every {@code touchInterval}. One that fails keeps no other.
 *
 * <p>Threads: one.
 */
final class RegularTasks implements Runnable {

    private final Failures failures;
    private final Collection<ApplicationGroup> groups;
    private final ClusterLocks locks;
    private final ChangeDispatcher changes;
    private final ViewInstaller views;
    private final Announcements announcements;
    private final AckTracker tracker;
    private final long comparedNanos;

    /**
     * @param groups this node's applications, as they come and go
     * @param compared after how long the members have compared what they hold
     */
    RegularTasks(
            Failures failures,
            Collection<ApplicationGroup> groups,
            ClusterLocks locks,
            ChangeDispatcher changes,
            ViewInstaller views,
            Announcements announcements,
            AckTracker tracker,
            Duration compared) {
        this.failures = failures;
        this.groups = groups;
        this.locks = locks;
        this.changes = changes;
        this.views = views;
        this.announcements = announcements;
        this.tracker = tracker;
        this.comparedNanos = compared.toNanos();
    }

    /** Each other member compares itself with this one once in an interval, or a quarter of that later. */
    static Duration compared(UnderstudyConfig config) {
        return config.reconcileInterval().multipliedBy(5).dividedBy(4);
    }

    @Override
    public void run() {
        for (ApplicationGroup group : groups) {
            failures.run("announcing sessions and their uses", group::sendNoted);
            failures.run("cleaning up an application", group::sweep);
        }
        failures.run("repeating requests for session locks", locks::remind);
        failures.run("dropping incomplete messages", changes::sweep);
        failures.run("completing a view", views::goOn);
        failures.run("announcing this node's applications", announcements::remind);
        failures.run("ending waits for lost acknowledgements", () -> tracker.forget(comparedNanos));
    }
}
