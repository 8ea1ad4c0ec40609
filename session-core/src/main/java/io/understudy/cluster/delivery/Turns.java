package io.understudy.cluster.delivery;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the sending thread is to do, in this order. To {@link #add} a turn and to {@link #wake} the thread are two steps:
 * the thread that adds may hold a lock that the turn needs, and calls {@code wake} when it has released the lock.
 *
 * <p>Threads: {@link #add} and {@link #wake} any, never waiting; the rest the sending one.
 */
final class Turns {

    private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();

    /** The sending thread, while it looks whether to sleep, and sleeps. */
    private volatile @Nullable Thread sleeper;

    /** The last one; {@link #wake} is to follow, unless the sending thread adds. */
    void add(Runnable turn) {
        turns.add(turn);
    }

    /** The sending thread takes what was added. */
    void wake() {
        Thread sleeping = sleeper;
        if (sleeping != null) {
            sleeper = null; // One wake is enough for all that is added until it has looked.
            LockSupport.unpark(sleeping);
        }
    }

    /** The first one, as soon as there is one; {@code null} if there is none for so long. */
    @Nullable
    Runnable await(long limitMillis) throws InterruptedException {
        Runnable first = turns.poll();
        if (first != null) {
            return first;
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        try {
            while (true) {
                sleeper =
                        Thread.currentThread(); // Before the look: a thread that adds after it finds this one to wake.
                first = turns.poll();
                long left = end - System.nanoTime();
                if (first != null || left <= 0) {
                    return first;
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException("the outbox ends");
                }
            }
        } finally {
            sleeper = null;
        }
    }

    /** Takes those that are there, up to so many. */
    void drainTo(List<Runnable> taken, int most) {
        for (Runnable next = turns.poll(); next != null; next = taken.size() < most ? turns.poll() : null) {
            taken.add(next);
        }
    }
}
