package io.understudy.session.failures;

import io.understudy.codec.WireText;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What is logged of the attributes of one application: each cause once. Threads: any. */
public final class Warnings {

    private static final Logger LOG = System.getLogger(Warnings.class.getName());

    /** How many different causes are logged; all are counted. */
    private static final int MAX_CAUSES = 1000;

    private final String label;
    private final ReplicationMetrics metrics;
    private final Set<String> causes = ConcurrentHashMap.newKeySet();

    /** @param label of the application on its node */
    public Warnings(String label, ReplicationMetrics metrics) {
        this.label = label;
        this.metrics = metrics;
    }

    /** An attribute's value stays on this node. */
    public void notReplicated(String attribute, Object value, String reason) {
        metrics.count(Counter.ATTRIBUTES_NOT_REPLICATED);
        String kind = reason.replaceAll("[0-9]+", "#"); // Of all sizes one.
        if (firstTime("encode " + attribute + value.getClass().getName() + kind)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - attribute ''{1}'' of class {2} stays on this node: {3}",
                    label,
                    WireText.shown(attribute),
                    value.getClass().getName(),
                    reason);
        }
    }

    /** Whether this cause was not logged yet; it counts as logged from now on. */
    public boolean firstTime(String cause) {
        return causes.size() < MAX_CAUSES && causes.add(cause);
    }
}
