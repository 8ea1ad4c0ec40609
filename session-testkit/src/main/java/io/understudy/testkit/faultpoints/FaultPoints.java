package io.understudy.testkit.faultpoints;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The places at which code that a {@link PointedLoader} loaded can be made to throw. Only one test of a JVM uses them
 * at a time.
 *
 * <p>Threads: any.
 */
public final class FaultPoints {

    /** What happens once. A thread that passes the place late meets the fault of its own time, and no later one. */
    private static final class Armed {

        private final int number;
        private final FaultKind kind;
        private final AtomicLong left;
        private volatile @Nullable Thrown thrown;

        Armed(int number, FaultKind kind, long arrival) {
            this.number = number;
            this.kind = kind;
            this.left = new AtomicLong(arrival);
        }

        void at(int place) {
            if (place == number && left.decrementAndGet() == 0) {
                thrown = new Thrown(Thread.currentThread().getName(), callers());
                kind.happen();
            }
        }
    }

    /**
     * Where something was thrown.
     *
     * @param callers the nearest of Understudy's methods, from the place on
     */
    public record Thrown(String thread, List<String> callers) {}

    /** A place in the code. */
    public record Point(int number, FaultKind kind, String place) {}

    /** The most places of all loaders together. Each loader adds some thousands. */
    private static final int MAX_POINTS = 1 << 20;

    private static final int MAX_CALLERS = 8;

    private static final List<Point> POINTS = new ArrayList<>();
    private static final AtomicLongArray PASSED = new AtomicLongArray(MAX_POINTS);
    private static volatile boolean counting;
    private static volatile @Nullable Armed armed;

    private FaultPoints() {}

    /** Adds a place. */
    public static synchronized int add(FaultKind kind, String place) {
        if (POINTS.size() == MAX_POINTS) {
            throw new IllegalStateException(MAX_POINTS + " places are known already: use fewer loaders in one JVM");
        }
        Point point = new Point(POINTS.size(), kind, place);
        POINTS.add(point);
        return point.number();
    }

    /** Code passes a place, which throws if it is armed. Called by code that was changed for that. */
    public static void at(int number) {
        if (counting) {
            PASSED.incrementAndGet(number);
        }
        Armed fault = armed;
        if (fault != null) {
            fault.at(number);
        }
    }

    /** The places that code passes while the task runs. */
    public static List<Point> passed(Runnable task) {
        return List.copyOf(arrivals(task).keySet());
    }

    /** The same, in their order, with how often code passes each. */
    public static Map<Point, Long> arrivals(Runnable task) {
        synchronized (FaultPoints.class) {
            POINTS.forEach(point -> PASSED.set(point.number(), 0));
        }
        counting = true;
        try {
            task.run();
        } finally {
            counting = false;
        }
        Map<Point, Long> arrivals = new LinkedHashMap<>();
        synchronized (FaultPoints.class) {
            for (Point point : POINTS) {
                long passed = PASSED.get(point.number());
                if (passed > 0) {
                    arrivals.put(point, passed);
                }
            }
        }
        return arrivals;
    }

    /** The next thread that passes the place has something thrown. */
    public static void arm(Point point, FaultKind what) {
        arm(point, what, 1);
    }

    /**
     * The same for a later arrival at the place.
     *
     * @param arrival 1 for the next one
     */
    public static void arm(Point point, FaultKind what, long arrival) {
        armed = new Armed(point.number(), what, arrival);
    }

    private static List<String> callers() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(frame -> frame.toStackTraceElement().toString())
                        .filter(frame -> frame.contains("io.understudy.") && !frame.contains("FaultPoints"))
                        .limit(MAX_CALLERS)
                        .toList());
    }

    /** Nothing is thrown any more. Returns where something was; {@code null} if nothing was. */
    public static @Nullable Thrown disarm() {
        Armed fault = armed;
        armed = null;
        return fault == null ? null : fault.thrown;
    }
}
