package io.understudy.cluster;

import io.understudy.network.detection.PauseDetector;
import io.understudy.replica.TimeSource;
import io.understudy.threads.Failures;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;

/**
 * What a pause of this process means for its applications: none vouches for what it holds until the other members
 * confirm it.
 *
 * <p>Threads: any.
 */
final class Pauses {

    private static final Logger LOG = System.getLogger(Pauses.class.getName());

    private final String node;
    private final Collection<ApplicationGroup> groups;
    private final PauseDetector pulse;

    /**
     * @param node its name in logs
     * @param groups its applications, as they come and go
     */
    Pauses(String node, Collection<ApplicationGroup> groups, Failures failures, TimeSource time) {
        this.node = node;
        this.groups = groups;
        this.pulse = new PauseDetector(
                this::paused, e -> failures.report("recording a pause; the node retries", e), time::pulseNanos);
    }

    PauseDetector pulse() {
        return pulse;
    }

    /** Notices a pause before anything is served after it. */
    void check() {
        if (pulse.late()) {
            pulse.check();
        }
    }

    private void paused(long millis) {
        groups.forEach(group -> group.suspend("paused for " + millis + " ms"));
        LOG.log(
                Level.WARNING,
                "{0} - this process paused for {1} ms: it is not ready until the other members confirm it",
                node,
                millis);
    }
}
