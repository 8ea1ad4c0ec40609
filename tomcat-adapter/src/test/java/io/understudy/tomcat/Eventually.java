package io.understudy.tomcat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions, with a deadline. */
final class Eventually {

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private Eventually() {}

    static void holds(String what, Callable<Boolean> condition) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        try {
            while (!condition.call()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("not within " + DEADLINE.toSeconds() + " s: " + what);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (Exception e) {
            throw new AssertionError("while waiting for: " + what, e);
        }
    }
}
