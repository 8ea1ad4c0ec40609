package io.understudy.ordering;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The numbers of this member's messages, and the last one of each scope.
 *
 * <p>Threads: any; for one scope one at a time.
 */
final class Numbers {

    private final AtomicLong counter = new AtomicLong();
    private final Map<Long, Long> lastNumbers = new ConcurrentHashMap<>();
    private volatile long base;

    @GuardedBy("this")
    private long counterAtSweep;

    /** @param scope as the object that is there, of which each request has one */
    ScopeHeader next(Long scope) {
        long number = counter.incrementAndGet();
        Long previous = lastNumbers.put(scope, number);
        return new ScopeHeader(scope, number, previous == null ? 0 : previous, base);
    }

    ScopeHeader unordered(long scope) {
        return new ScopeHeader(scope, counter.incrementAndGet(), 0, base);
    }

    /** There is a new view. */
    void view() {
        base = counter.get();
    }

    /** Frees the scopes that nothing was sent in since the last sweep. */
    void sweep() {
        long idle;
        synchronized (this) {
            idle = counterAtSweep;
            counterAtSweep = counter.get();
        }
        lastNumbers.values().removeIf(last -> last <= idle);
    }

    int scopes() {
        return lastNumbers.size();
    }

    long last() {
        return counter.get();
    }
}
