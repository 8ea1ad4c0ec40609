package io.understudy.threads;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a node that does its rounds until one of them is the last. Whatever a round throws is reported, and the
 * next one is begun. No interrupt ends it: the caller has taken it for a thread of its own.
 *
 * <p>Threads: its own runs it; the rest any.
 */
public final class Loop implements Runnable {

    /** What it does. */
    @FunctionalInterface
    public interface Rounds {
        /** One round, which may wait, for a second or so. @return whether another one is to follow */
        boolean round() throws InterruptedException;
    }

    /** A round that fails at once each time is not to take a processor. */
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final Rounds rounds;
    private final Failures failures;
    private final ThreadFactory threads;

    private final AtomicLong done = new AtomicLong();

    private volatile boolean over;
    private volatile @Nullable Thread thread;

    /** @param name what it does, for the log */
    public Loop(String name, Rounds rounds, Failures failures, ThreadFactory threads) {
        this.name = name;
        this.rounds = rounds;
        this.failures = failures;
        this.threads = threads;
    }

    String name() {
        return name;
    }

    /** Begins, in a thread that is made for it; that none can be made is reported. */
    public void start() {
        failures.run("a thread for " + name + " could not be made", () -> {
            Thread made = threads.newThread(this);
            thread = made;
            made.start();
        });
    }

    @Override
    public void run() {
        while (!over) {
            over = !next();
        }
    }

    private boolean next() {
        try {
            boolean more = rounds.round();
            done.lazySet(done.get() + 1); // By this thread alone.
            return more;
        } catch (Throwable e) { // An interrupt, too.
            failures.report(name, e);
            LockSupport.parkNanos(REST_NANOS);
            return true;
        }
    }

    /** Rounds that came to their end: rises as long as it gets on. */
    long rounds() {
        return done.get();
    }

    /** Whether it has done its last round. */
    boolean over() {
        return over;
    }

    /** Whether its thread is gone before that, or there never was one. */
    public boolean dead() {
        Thread runs = thread;
        return !over && (runs == null || !runs.isAlive());
    }
}
