package io.understudy.threads;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads of a channel. They are daemons and hold no application's class loader. */
public final class ChannelThreads implements AutoCloseable {

    /**
     * Threads that answer other members, and as many that ask them. They are apart: members whose threads all wait for each
     * other's answers would have none left to answer.
     */
    private static final int THREADS = 4;

    private final String node;
    private final Failures failures;
    private final ExecutorService answering;
    private final ExecutorService asking;
    private final ExecutorService announcements;
    private final ScheduledThreadPoolExecutor timer;
    private final ScheduledThreadPoolExecutor promptTimer;

    /** @param node its name, for those of threads */
    public ChannelThreads(String node, Failures failures) {
        this.node = node;
        this.failures = failures;
        this.answering = Executors.newFixedThreadPool(THREADS, factory("answer"));
        this.asking = Executors.newFixedThreadPool(THREADS, factory("ask"));
        this.announcements = Executors.newSingleThreadExecutor(factory("announce"));
        this.timer = new ScheduledThreadPoolExecutor(1, factory("timer"));
        this.promptTimer = new ScheduledThreadPoolExecutor(1, factory("prompt-timer"));
    }

    private ThreadFactory factory(String role) {
        return DaemonThreads.numbered("understudy-" + node + "-" + role);
    }

    /**
     * What has a thread of its own, and is not begun yet.
     *
     * @param role in the thread's name
     * @param what it does, for people
     */
    public Loop loop(String role, String what, Loop.Rounds rounds) {
        return new Loop(what, rounds, failures, task -> DaemonThreads.of("understudy-" + node + "-" + role, task));
    }

    /**
     * Runs a task that does not wait for other members.
     *
     * @param what it does, for the log
     * @return whether it is run; else it was reported, or the channel closes and nobody waits for this any more
     */
    public boolean executeAnswering(String what, Runnable task) {
        return submit(answering, what, task);
    }

    /** The same for one that may wait for other members. */
    public boolean executeAsking(String what, Runnable task) {
        return submit(asking, what, task);
    }

    /** The same for tasks that are run one after the other, in this order. */
    public boolean executeInOrder(String what, Runnable task) {
        return submit(announcements, what, task);
    }

    private boolean submit(ExecutorService executor, String what, Runnable task) {
        try {
            executor.execute(failures.survived(what, task));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        } catch (Throwable e) { // No memory, or no thread.
            failures.report(what, e);
            return false;
        }
    }

    /** Runs a task again and again, each time so long after the last. It may wait for other members, and for such tasks. */
    public void every(Duration interval, String what, Runnable task) {
        schedule(timer, interval, what, task);
    }

    /** The same for tasks none of which waits for other members. */
    public void everyPromptly(Duration interval, String what, Runnable task) {
        schedule(promptTimer, interval, what, task);
    }

    private void schedule(ScheduledThreadPoolExecutor by, Duration interval, String what, Runnable task) {
        long millis = Math.max(1, interval.toMillis());
        var unused = by.scheduleWithFixedDelay(failures.survived(what, task), millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Gives the timers a thread again that they had no memory for when the last one ended. */
    public void rouseTimers() {
        rouse(timer);
        rouse(promptTimer);
    }

    private void rouse(ScheduledThreadPoolExecutor one) {
        if (one.getPoolSize() == 0) {
            boolean unused = submit(one, "a timer", () -> {});
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        promptTimer.shutdownNow();
        announcements.shutdownNow();
        answering.shutdownNow();
        asking.shutdownNow();
    }
}
