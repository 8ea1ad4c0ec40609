package io.understudy.testkit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What runs beside a test, each in a thread of its own. The pool that {@link CompletableFuture} takes otherwise has one
 * thread on a machine with two processors: from JDK 25 on, things that are to run at once would run one after the other.
 */
public final class Beside {

    private Beside() {}

    public static CompletableFuture<Void> run(Runnable task) {
        return CompletableFuture.runAsync(task, Beside::start);
    }

    public static <T> CompletableFuture<T> get(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, Beside::start);
    }

    /** Runs all of these at the same time, and waits until they have ended. */
    public static void all(Runnable... tasks) {
        CompletableFuture.allOf(Stream.of(tasks).map(Beside::run).toArray(CompletableFuture[]::new))
                .orTimeout(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "beside");
        thread.setDaemon(true);
        thread.start();
    }
}
