package io.understudy.ordering;

import io.understudy.threads.DaemonThreads;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take what is ready from one queue, one thing at a time each, so that a slow one keeps only its own thread.
 * A thread is woken for many things, not for each. What one of them throws ends nothing but itself.
 *
 * <p>Threads: any.
 */
final class ScopeWorkers {

    /** How many other threads have a {@link Progress} at the same time. */
    static final int GUESTS = 8;

    /** After so many things at most, {@code runEnd} is called. */
    private static final int RUN = 64;

    /** Something to do. */
    @FunctionalInterface
    interface Work {
        /** @param progress to be moved on now and then by what takes long */
        void run(Progress progress);
    }

    /** That of one thread. */
    static final class Progress {
        private final AtomicBoolean taken = new AtomicBoolean();
        private final AtomicLong steps = new AtomicLong();

        /** Even while there is nothing to do. By its thread alone. */
        private void step(int by) {
            steps.lazySet(steps.get() + by);
        }

        /** It gets on. */
        void step() {
            step(2);
        }

        private long steps() {
            return steps.get();
        }

        private boolean begin() {
            boolean begun = !taken.get() && taken.compareAndSet(false, true);
            if (begun) {
                step(1);
            }
            return begun;
        }

        /** Its thread has nothing more to do. */
        void end() {
            step(1);
            taken.set(false);
        }
    }

    private final ExecutorService threads;
    private final Runnable runEnd;
    private final Consumer<Throwable> failed;
    private final Queue<Work> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger working = new AtomicInteger();
    private final Progress[] progress;
    private final Progress[] guests = new Progress[GUESTS];
    private final Progress nobodys = new Progress();

    /**
     * Of threads of their own, which are made when they are needed.
     *
     * @param count threads at most
     * @param runEnd is called by a thread that found nothing more to do, and now and then before
     * @param failed is told what work, and {@code runEnd}, throw; throws nothing
     */
    static ScopeWorkers start(int count, Runnable runEnd, Consumer<Throwable> failed) {
        return new ScopeWorkers(
                Executors.newFixedThreadPool(count, DaemonThreads.numbered("scope")), count, runEnd, failed);
    }

    ScopeWorkers(ExecutorService threads, int count, Runnable runEnd, Consumer<Throwable> failed) {
        this.threads = threads;
        this.runEnd = runEnd;
        this.failed = failed;
        this.progress = new Progress[count];
        Arrays.setAll(progress, i -> new Progress());
        Arrays.setAll(guests, i -> new Progress());
    }

    /** What is ready is dropped. */
    void stop() {
        threads.shutdown();
    }

    /** Adds something to do; {@link #wake} is to follow. */
    void add(Work work) {
        ready.add(work);
    }

    /** Sees to it that what was added is done: {@code added} tells how many threads are worth waking. */
    void wake(int added) {
        for (int i = 0; i < added; i++) {
            int now = working.get();
            if (now >= progress.length) {
                return; // Each looks again before it ends.
            }
            if (working.compareAndSet(now, now + 1)) {
                start();
            }
        }
    }

    /** To be called now and then: what is ready has a thread, also if there was no memory for one before. */
    void rouse() {
        if (!ready.isEmpty()) {
            wake(1);
        }
    }

    /** How many steps a thread has made, guests last; an odd number while it has something to do. */
    long steps(int thread) {
        return (thread < progress.length ? progress[thread] : guests[thread - progress.length]).steps();
    }

    /** For what the calling thread does itself, until {@link Progress#end}; {@code null} if there are too many such threads. */
    @Nullable
    Progress guest() {
        for (Progress each : guests) {
            if (each.begin()) {
                return each;
            }
        }
        return null;
    }

    /** For what is done by a thread that nobody watches. */
    Progress nobodys() {
        return nobodys;
    }

    private void start() {
        try {
            threads.execute(this::work);
        } catch (RejectedExecutionException e) {
            working.decrementAndGet(); // Stopped: what is ready is dropped.
        } catch (Throwable e) {
            working.decrementAndGet();
            failed.accept(e);
        }
    }

    private void work() {
        Progress own = free();
        try {
            while (!ready.isEmpty()) {
                own.step(1);
                run(own);
                own.step(1);
            }
        } finally {
            own.taken.set(false);
            working.decrementAndGet();
        }
        if (!ready.isEmpty()) {
            wake(1); // Added after the last look, and by one who saw this thread still working.
        }
    }

    /** There is one for each thread that works. */
    private Progress free() {
        while (true) {
            for (Progress each : progress) {
                if (each.taken.compareAndSet(false, true)) {
                    return each;
                }
            }
        }
    }

    private void run(Progress own) {
        Work work = ready.poll();
        for (int run = 1; work != null; run++) {
            try {
                work.run(own);
            } catch (Throwable e) {
                failed.accept(e);
            }
            own.step();
            work = run < RUN ? ready.poll() : null;
        }
        try {
            runEnd.run();
        } catch (Throwable e) {
            failed.accept(e);
        }
    }
}
