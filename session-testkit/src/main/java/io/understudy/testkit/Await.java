package io.understudy.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions, never for time to pass. */
public final class Await {

    /** Far more than anything that is waited for takes on a busy machine; it costs nothing where all is well. */
    public static final Duration LIMIT = Duration.ofMinutes(3);

    /** Shortest and longest rest between two looks, in milliseconds. */
    private static final long SHORTEST_REST_MILLIS = 5;

    private static final long LONGEST_REST_MILLIS = 200;

    /** A rest is this part of what was waited already: what is slow is not slowed further by those who look. */
    private static final long PART = 20;

    private Await() {}

    /** Waits until {@code condition} holds, for {@link #LIMIT} at most; fails with {@code what} then, and with what the condition throws. */
    public static void that(String what, Callable<Boolean> condition) {
        until(LIMIT, () -> what, () -> {
            try {
                return condition.call();
            } catch (Exception e) {
                throw new AssertionError("while waiting for: " + what, e);
            }
        });
    }

    /** Waits until {@code condition} holds; when {@code limit} is over it fails with the text of {@code state}. */
    public static void until(Duration limit, Supplier<?> state, BooleanSupplier condition) {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long waited = System.nanoTime() - began;
            if (waited > limit.toNanos()) {
                throw new AssertionError("not within " + limit + ": " + state.get());
            }
            long part = TimeUnit.NANOSECONDS.toMillis(waited) / PART;
            try {
                Thread.sleep(Math.min(Math.max(part, SHORTEST_REST_MILLIS), LONGEST_REST_MILLIS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }
}
