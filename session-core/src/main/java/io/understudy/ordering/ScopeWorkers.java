package io.understudy.ordering;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that take what is ready from one queue, one thing at a time each, so that a slow one keeps only its own thread.
 * A thread is woken for many things, not for each.
 *
 * <p>Threads: any.
 */
final class ScopeWorkers {

    /** After so many things at most, {@code runEnd} is called. */
    private static final int RUN = 64;

    private final Executor threads;
    private final int count;
    private final Runnable runEnd;
    private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger working = new AtomicInteger();

    /**
     * @param count threads at most
     * @param runEnd is called by a thread that found nothing more to do, and now and then before
     */
    ScopeWorkers(Executor threads, int count, Runnable runEnd) {
        this.threads = threads;
        this.count = count;
        this.runEnd = runEnd;
    }

    /** Adds something to do; {@link #wake} is to follow. */
    void add(Runnable work) {
        ready.add(work);
    }

    /** Sees to it that what was added is done: {@code added} tells how many threads are worth waking. */
    void wake(int added) {
        for (int i = 0; i < added; i++) {
            int now = working.get();
            if (now >= count) {
                return; // Each looks again before it ends.
            }
            if (working.compareAndSet(now, now + 1)) {
                start();
            }
        }
    }

    private void start() {
        try {
            threads.execute(this::work);
        } catch (RejectedExecutionException e) {
            working.decrementAndGet(); // Stopped: what is ready is dropped.
        }
    }

    private void work() {
        try {
            while (!ready.isEmpty()) {
                Runnable work = ready.poll();
                for (int run = 1; work != null; run++) {
                    work.run();
                    work = run < RUN ? ready.poll() : null;
                }
                runEnd.run();
            }
        } finally {
            working.decrementAndGet();
        }
        if (!ready.isEmpty()) {
            wake(1); // Added after the last look, and by one who saw this thread still working.
        }
    }
}
