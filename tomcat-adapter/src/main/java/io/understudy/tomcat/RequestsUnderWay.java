package io.understudy.tomcat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the requests of one application. When Tomcat stops the application it waits for those in servlets only: a
 * request that has left them calls listeners and sends what it changed, with the application's classes.
 *
 * <p>Threads: any.
 */
final class RequestsUnderWay {

    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean awaited;

    /** To be followed by {@link #end}, whatever happens. Does not fail. */
    void begin() {
        count.incrementAndGet();
    }

    void end() {
        if (count.decrementAndGet() == 0 && awaited) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /**
     * Waits until no request is under way, or the time is over, or the thread is interrupted.
     *
     * @param millis how long at most; with 0 or less it returns at once
     */
    synchronized void awaitNone(long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        awaited = true; // Before the count is read: the last request that ends after that gives notice.
        try {
            long left = deadline - System.nanoTime();
            while (count.get() > 0 && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadline - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            awaited = false;
        }
    }
}
