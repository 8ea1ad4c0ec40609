package io.understudy.benchmarks;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends this process, and the processes it started, when an experiment takes too long. Shutdown hooks run first, for a
 * bounded time, so that network namespaces are taken away.
 */
final class Deadline implements AutoCloseable {

    private static final int TOO_LONG = 3;

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Duration limit;
    private final CountDownLatch closed = new CountDownLatch(1);

    private Deadline(Duration limit) {
        this.limit = limit;
    }

    static Deadline start(String title, Duration limit) {
        Deadline deadline = new Deadline(limit);
        Runtime.getRuntime().addShutdownHook(new Thread(Deadline::endChildren, "end-children"));
        daemon("deadline", () -> deadline.await(title));
        return deadline;
    }

    Duration limit() {
        return limit;
    }

    private void await(String title) {
        try {
            if (closed.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            System.err.println(title + " did not end within " + limit.toSeconds() + " s; its threads:");
            Thread.getAllStackTraces().entrySet().stream()
                    .filter(thread -> !thread.getKey().isDaemon())
                    .forEach(Deadline::print);
            System.out.println(Tally.ERROR.line(limit.toSeconds(), title));
            daemon("exit", () -> System.exit(TOO_LONG));
            TimeUnit.NANOSECONDS.sleep(GRACE.toNanos());
            endChildren();
            Runtime.getRuntime().halt(TOO_LONG);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void print(Map.Entry<Thread, StackTraceElement[]> thread) {
        System.err.println(thread.getKey());
        for (StackTraceElement element : thread.getValue()) {
            System.err.println("    at " + element);
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void endChildren() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
