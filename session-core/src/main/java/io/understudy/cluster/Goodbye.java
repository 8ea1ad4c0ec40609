package io.understudy.cluster;

import io.understudy.cluster.restart.OrderlyLeave;
import io.understudy.threads.DaemonThreads;
import io.understudy.threads.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * What a node that is closed does before it leaves the cluster, and a killed one does not.
 *
 * <p>Threads: the closing one.
 */
final class Goodbye {

    private static final Logger LOG = System.getLogger(Goodbye.class.getName());

    /** How long, in milliseconds, closing waits for changes that can't be sent. */
    private static final long DRAIN_MILLIS = 5000;

    private final ClusterServices services;
    private final ApplicationGroups groups;
    private final OrderlyLeave parting;

    Goodbye(ClusterServices services, ApplicationGroups groups, OrderlyLeave parting) {
        this.services = services;
        this.groups = groups;
        this.parting = parting;
    }

    /** Sends the changes that have not been sent yet. */
    void sendTheRest() {
        for (ApplicationGroup group : groups.present()) {
            boolean unused = services.failures().insist("closing", group::sendNoted);
        }
        if (!services.outbox().drain(DRAIN_MILLIS)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - closes although changes of {1} sessions could not be sent within {2} ms",
                    services.config().nodeName(),
                    services.outbox().sessions(),
                    DRAIN_MILLIS);
        }
    }

    /** Announces the leave. A member that has heard it has all that was sent before. */
    void say(long limitMillis) {
        services.announcements().goodbye(limitMillis);
    }

    /**
     * Keeps the sessions in files, if this is configured and no other member holds them. In a thread of its own: an
     * interrupt of the closing one would end the questions to other members, and break the file off.
     */
    void keep() {
        if (services.kept().on()) {
            Thread thread = DaemonThreads.of(
                    "understudy-" + services.config().nodeName() + "-keep",
                    services.failures().survived("keeping sessions", () -> parting.keep(groups.stopping())));
            thread.start();
            Uninterrupted.run(thread::join);
        }
    }
}
