package io.understudy.demo.launcher;

import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Ends this process when its parent has: a demo started from a script or a build must not outlive it.
 *
 * <p>Asked is for the parent's pid, not whether that process lives: an orphan gets another parent at once, while its old
 * one may stay a zombie, or its pid be given again.
 */
final class ParentWatch {

    /** How often it looks, in milliseconds. */
    private static final long INTERVAL_MILLIS = 500;

    private ParentWatch() {}

    static void start() {
        OptionalLong first = parent();
        if (first.isEmpty()) {
            return;
        }
        Thread watch = new Thread(() -> watch(first.getAsLong()), "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void watch(long first) {
        try {
            while (parent().orElse(-1) == first) {
                Thread.sleep(INTERVAL_MILLIS);
            }
            System.err.println("The process that started the demo (pid " + first + ") has ended; so does the demo.");
            System.exit(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static OptionalLong parent() {
        return ProcessHandle.current().parent().stream()
                .flatMapToLong(parent -> LongStream.of(parent.pid()))
                .findAny();
    }
}
