package io.understudy.cluster.convergence;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sessions of other members, or of an earlier run, that can't be read here. They are left out, and all others are
 * taken: one of them must not keep this member from being ready. Each is counted whenever it is met, and logged once.
 *
 * <p>Threads: any.
 */
public final class UnreadableSessions {

    private static final Logger LOG = System.getLogger(UnreadableSessions.class.getName());

    private static final int MAX_TOLD = 100;

    private final String label;
    private final ReplicationMetrics metrics;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** @param label of the application on its node */
    public UnreadableSessions(String label, ReplicationMetrics metrics) {
        this.label = label;
        this.metrics = metrics;
    }

    /**
     * One was met.
     *
     * @param session where it is and by what it is known there; not its id, which is a secret
     */
    public void leftOut(String session, String why) {
        metrics.count(Counter.SESSIONS_UNREADABLE);
        if (told.size() < MAX_TOLD && told.add(session)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - {1} can''t be read, and is left out here: {2}. This node takes all other sessions. "
                            + "Requests for the unreadable session find no session on this node. If nodes run "
                            + "different releases, give them the same release",
                    label,
                    session,
                    why);
        }
    }
}
