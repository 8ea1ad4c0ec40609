package io.understudy.testkit.faultpoints;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The places at which code that a {@link PointedLoader} loaded can be made to throw. Only one test of a JVM uses them
 * at a time.
 *
 * <p>Threads: any.
 */
public final class FaultPoints {

    /** A place in the code. */
    public record Point(int number, FaultKind kind, String place) {}

    /** The most places of all loaders together. Each loader adds some thousands. */
    private static final int MAX_POINTS = 1 << 20;

    private static final int NONE = -1;

    private static final List<Point> POINTS = new ArrayList<>();
    private static final AtomicLongArray PASSED = new AtomicLongArray(MAX_POINTS);
    private static final AtomicInteger ARMED = new AtomicInteger(NONE);
    private static volatile boolean counting;
    private static volatile FaultKind kind = FaultKind.MEMORY;
    private static volatile @Nullable String thrownIn;

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
        if (ARMED.get() == number && ARMED.compareAndSet(number, NONE)) {
            thrownIn = Thread.currentThread().getName();
            kind.happen();
        }
    }

    /** The places that code passes while the task runs. */
    public static List<Point> passed(Runnable task) {
        synchronized (FaultPoints.class) {
            POINTS.forEach(point -> PASSED.set(point.number(), 0));
        }
        counting = true;
        try {
            task.run();
        } finally {
            counting = false;
        }
        synchronized (FaultPoints.class) {
            return POINTS.stream()
                    .filter(point -> PASSED.get(point.number()) > 0)
                    .toList();
        }
    }

    /** The next one who passes the place has something thrown. */
    public static void arm(Point point, FaultKind what) {
        thrownIn = null;
        kind = what;
        ARMED.set(point.number());
    }

    /** Nothing is thrown any more. Returns the thread in which something was; {@code null} if none was. */
    public static @Nullable String disarm() {
        ARMED.set(NONE);
        return thrownIn;
    }
}
