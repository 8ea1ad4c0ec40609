package io.understudy.session.failures;

import io.understudy.codec.WireText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** What is logged of the attributes of one application: each cause once. Threads: any. */
public final class Warnings {

    private static final Logger LOG = System.getLogger(Warnings.class.getName());

    /** How many different causes are logged; all are counted. */
    private static final int MAX_CAUSES = 1000;

    /** Sizes and hash codes, of which each value may have others. */
    private static final Pattern NUMBERS = Pattern.compile("@[0-9a-f]+|[0-9]+");

    private final String label;
    private final Set<String> causes = ConcurrentHashMap.newKeySet();

    /** @param label of the application on its node */
    public Warnings(String label) {
        this.label = label;
    }

    /** An attribute's value stays on this node. */
    public void notReplicated(String attribute, Object value, String reason) {
        String kind = NUMBERS.matcher(reason).replaceAll("#");
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
