package io.understudy.session.failures;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reason in the last log line of each attribute and class. A reason that comes back after another one has a line
 * again. Sessions whose reasons alternate could fill a log with that, so there are two bounds, and each line counts
 * those that were left out before it.
 *
 * <p>Threads: one at a time.
 */
final class LastReasons {

    /** Attributes and classes whose last reason is known; the one that was not met for longest is forgotten first. */
    private static final int MAX_PLACES = 1000;

    /** Lines at once of one attribute and class; then one each minute. */
    static final int AT_ONCE = 10;

    /** Lines at once of the application, whose attributes may have any number of names; then ten each minute. */
    static final int ALL_AT_ONCE = 200;

    private static final int ALL_PER_MINUTE = 10;

    private record Place(String attribute, String valueClass) {}

    private static final class Line {

        private final LogBudget budget;
        private @Nullable KeptCause cause;

        Line(long nowMillis) {
            this.budget = new LogBudget(AT_ONCE, 1, nowMillis);
        }
    }

    private final LogBudget all;

    private final Map<Place, Line> lines = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Line> eldest) {
            return size() > MAX_PLACES;
        }
    };

    LastReasons(long nowMillis) {
        this.all = new LogBudget(ALL_AT_ONCE, ALL_PER_MINUTE, nowMillis);
    }

    private Line last(KeptCause cause, long nowMillis) {
        return lines.computeIfAbsent(new Place(cause.attribute(), cause.valueClass()), place -> new Line(nowMillis));
    }

    /** A line has this reason, whatever the bounds. */
    void logged(KeptCause cause, long nowMillis) {
        last(cause, nowMillis).cause = cause;
    }

    /**
     * An attribute has another reason than before.
     *
     * @return how many lines were left out before the one that is to follow; -1 if none is
     */
    long changed(KeptCause cause, long nowMillis) {
        Line last = last(cause, nowMillis);
        if (cause.equals(last.cause)) {
            return -1;
        }
        if (!last.budget.left(nowMillis)) {
            last.budget.leaveOut();
            return -1;
        }
        if (!all.left(nowMillis)) {
            all.leaveOut();
            return -1;
        }
        last.cause = cause;
        return last.budget.take() + all.take();
    }
}
