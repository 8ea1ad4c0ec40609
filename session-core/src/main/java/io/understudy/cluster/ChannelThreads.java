package io.understudy.cluster;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a channel. They are daemons and hold no application's class loader. */
final class ChannelThreads implements AutoCloseable {

    /**
     * Threads that answer other members, and as many that ask them. They are apart: members whose threads all wait for each
     * other's answers would have none left to answer.
     */
    private static final int THREADS = 4;

    private static final Logger LOG = System.getLogger(ChannelThreads.class.getName());

    private final String node;
    private final ExecutorService answering;
    private final ExecutorService asking;
    private final ExecutorService announcements;
    private final ScheduledExecutorService timer;

    ChannelThreads(String node) {
        this.node = node;
        this.answering = Executors.newFixedThreadPool(THREADS, factory("answer"));
        this.asking = Executors.newFixedThreadPool(THREADS, factory("ask"));
        this.announcements = Executors.newSingleThreadExecutor(factory("announce"));
        this.timer = Executors.newSingleThreadScheduledExecutor(factory("timer"));
    }

    private ThreadFactory factory(String role) {
        AtomicInteger count = new AtomicInteger();
        return task -> thread(role + "-" + count.incrementAndGet(), task);
    }

    private Thread thread(String name, Runnable task) {
        // Made in any thread: what its thread locals pass on could hold an application.
        Thread thread = new Thread(null, task, "understudy-" + node + "-" + name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(ChannelThreads.class.getClassLoader());
        return thread;
    }

    void start(String role, Runnable task) {
        thread(role, task).start();
    }

    /** Runs a task that does not wait for other members. */
    void executeAnswering(Runnable task) {
        submit(answering, task);
    }

    /** Runs a task that may wait for other members. */
    void executeAsking(Runnable task) {
        submit(asking, task);
    }

    /** Runs tasks one after the other, in this order. */
    void executeInOrder(Runnable task) {
        submit(announcements, task);
    }

    private static void submit(ExecutorService executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            // The channel closes: nobody waits for this any more.
        }
    }

    void every(Duration interval, Runnable task) {
        var unused = timer.schedule(() -> runAgain(interval, task), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void runAgain(Duration interval, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, node + " - a regular task failed; it goes on", e);
        }
        if (!timer.isShutdown()) {
            every(interval, task);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        announcements.shutdownNow();
        answering.shutdownNow();
        asking.shutdownNow();
    }
}
