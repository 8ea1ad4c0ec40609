package io.understudy.session.failures;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.codec.WireText;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is logged of the attributes of one application. A value that stays on this node has a line each time that the
 * reason changes for its attribute and class. Sessions whose reasons alternate could fill a log with that, so there are
 * two bounds, and each line counts those that were left out before it.
 *
 * <p>Threads: any.
 */
public final class Warnings {

    private static final Logger LOG = System.getLogger(Warnings.class.getName());

    /** How many causes of {@link #firstTime} are logged. */
    private static final int MAX_CAUSES = 1000;

    /** Attributes and classes whose last reason is known; the one that was not met for longest is forgotten first. */
    private static final int MAX_PLACES = 1000;

    /** Lines at once of one attribute and class; then one each minute. */
    private static final int AT_ONCE = 10;

    /** Lines at once of the application, whose attributes may have any number of names; then ten each minute. */
    private static final int ALL_AT_ONCE = 200;

    private static final int ALL_PER_MINUTE = 10;

    /** Longest text of a reason that is known whole; of a longer one its hash code stands for the rest. */
    private static final int MAX_KNOWN = 2000;

    /** Sizes, counts and hash codes, which are others in each value; not the numbers in names, such as Cart$1. */
    private static final Pattern NUMBERS = Pattern.compile("@[0-9a-f]+|(?<![\\p{L}\\p{N}_$])[0-9]+");

    /** An attribute, by its name and the class of its value. */
    private record Place(String attribute, String type) {}

    private static final class LastLine {
        private final LogBudget budget;
        private @Nullable String reason;

        private LastLine(long nowMillis) {
            this.budget = new LogBudget(AT_ONCE, 1, nowMillis);
        }
    }

    private final String label;
    private final ReplicationMetrics metrics;
    private final TimeSource time;
    private final Set<String> causes = ConcurrentHashMap.newKeySet();
    private final LogBudget all;

    @GuardedBy("this")
    private final Map<Place, LastLine> places = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, LastLine> eldest) {
            return size() > MAX_PLACES;
        }
    };

    /** @param label of the application on its node */
    public Warnings(String label, ReplicationMetrics metrics, TimeSource time) {
        this.label = label;
        this.metrics = metrics;
        this.time = time;
        this.all = new LogBudget(ALL_AT_ONCE, ALL_PER_MINUTE, time.monotonicMillis());
    }

    /** An attribute's value stays on this node. */
    public void notReplicated(String attribute, Object value, String reason) {
        metrics.count(Counter.ATTRIBUTES_NOT_REPLICATED);
        String type = value.getClass().getName();
        long leftOut = leftOut(new Place(attribute, type), known(reason));
        if (leftOut >= 0) {
            LOG.log(
                    Level.WARNING,
                    "{0} - attribute ''{1}'' of class {2} stays on this node: {3}{4}",
                    label,
                    WireText.shown(attribute),
                    type,
                    reason,
                    leftOut == 0 ? "" : ". Before this, " + leftOut + " such lines were left out");
        }
    }

    private static String known(String reason) {
        String known = NUMBERS.matcher(reason).replaceAll("#");
        return known.length() <= MAX_KNOWN ? known : known.substring(0, MAX_KNOWN) + known.hashCode();
    }

    /** @return how many lines were left out before this one; -1 if it is not logged */
    private synchronized long leftOut(Place place, String reason) {
        long now = time.monotonicMillis();
        LastLine last = places.computeIfAbsent(place, each -> new LastLine(now));
        if (reason.equals(last.reason)) {
            return -1;
        }
        if (!last.budget.left(now)) {
            last.budget.leaveOut();
            return -1;
        }
        if (!all.left(now)) {
            all.leaveOut();
            return -1;
        }
        last.reason = reason;
        return last.budget.take() + all.take();
    }

    /** Whether this cause was not logged yet; it counts as logged from now on. */
    public boolean firstTime(String cause) {
        return causes.size() < MAX_CAUSES && causes.add(cause);
    }
}
