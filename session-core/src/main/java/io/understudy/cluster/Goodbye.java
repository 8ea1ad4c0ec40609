package io.understudy.cluster;

import io.understudy.cluster.delivery.DeltaSender;
import io.understudy.cluster.membership.NodeCoherence;
import io.understudy.cluster.restart.OrderlyLeave;
import io.understudy.threads.DaemonThreads;
import io.understudy.threads.Steps;
import io.understudy.threads.Uninterrupted;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.function.Consumer;
import org.jgroups.JChannel;
import org.jspecify.annotations.Nullable;

/**
 * What a node does when it is closed; of that, one that is killed does not say goodbye.
 *
 * <p>Threads: the closing one.
 */
final class Goodbye {

    private static final Logger LOG = System.getLogger(Goodbye.class.getName());

    /** How long, in milliseconds, closing waits for changes that can't be sent. */
    private static final long DRAIN_MILLIS = 5000;

    /** How long, in milliseconds, it waits until every member knows of the leave. One that does has all that was sent before. */
    static final long MILLIS = 2000;

    private static final String CLOSING = "closing";

    private final ClusterServices services;
    private final ApplicationGroups groups;
    private final OrderlyLeave parting;
    private final Withdrawal withdrawal;
    private final Steps steps;
    private final Steps givingUp;
    private @Nullable Thread keeping;

    Goodbye(
            ClusterServices services,
            ApplicationGroups groups,
            OrderlyLeave parting,
            Upkeep upkeep,
            Pauses pauses,
            Withdrawal withdrawal,
            DeltaSender sending,
            NodeCoherence coherence,
            JChannel channel) {
        this.services = services;
        this.groups = groups;
        this.parting = parting;
        this.withdrawal = withdrawal;
        this.steps = new Steps(
                CLOSING,
                services.failures(),
                upkeep::stop,
                pauses.pulse()::stop,
                () -> each(ApplicationGroup::stopJoining),
                () -> each(group -> group.expiry().close()),
                services.locks()::close,
                unlessCut(this::sendTheRest),
                services.outbox()::stop,
                groups::holdAll,
                groups::leaveAll,
                unlessCut(this::say),
                unlessCut(this::keep),
                unlessCut(withdrawal::leave),
                services.threads()::close,
                () -> sending.view(this, Set.of(), Set.of()),
                coherence::close,
                services.memory()::close);
        this.givingUp = new Steps(
                CLOSING,
                services.failures(),
                upkeep::stop,
                pauses.pulse()::stop,
                services.outbox()::stop,
                channel::close, // JGroups' threads begin before it connects.
                services.threads()::close,
                services.memory()::close);
    }

    private Runnable unlessCut(Runnable step) {
        return () -> {
            if (!withdrawal.isCut()) {
                step.run();
            }
        };
    }

    /** Leaves the cluster, and ends what the node runs. */
    void close() {
        steps.take();
    }

    /** Ends what a node runs that could not connect. */
    void giveUp() {
        givingUp.take();
    }

    /** Whatever one application throws, the next ones come, too. */
    private void each(Consumer<ApplicationGroup> step) {
        for (ApplicationGroup group : groups.present()) {
            boolean unused = services.failures().insist(CLOSING, () -> step.accept(group));
        }
    }

    private void say() {
        services.announcements().goodbye(MILLIS);
    }

    /** Sends the changes that have not been sent yet. */
    private void sendTheRest() {
        each(ApplicationGroup::sendNoted);
        if (!services.outbox().drain(DRAIN_MILLIS)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - closes although changes of {1} sessions could not be sent within {2} ms",
                    services.config().nodeName(),
                    services.outbox().sessions(),
                    DRAIN_MILLIS);
        }
    }

    /**
     * Keeps the sessions in files, if this is configured and no other member holds them. In a thread of its own: an
     * interrupt of the closing one would end the questions to other members, and break the file off.
     */
    private void keep() {
        if (services.kept().on()) {
            Thread thread = keeping;
            if (thread == null) { // Once: two would write the same files.
                thread = DaemonThreads.of(
                        "understudy-" + services.config().nodeName() + "-keep",
                        services.failures().survived("keeping sessions", () -> parting.keep(groups.stopping())));
                thread.start();
                keeping = thread;
            }
            Uninterrupted.run(thread::join);
        }
    }
}
