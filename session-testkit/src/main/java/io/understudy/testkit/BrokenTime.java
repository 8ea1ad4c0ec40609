package io.understudy.testkit;

import io.understudy.replica.TimeSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A clock that throws an Error at its callers, as often as a test wants: as a heap that is full for a moment does to a
 * thread, or a class that is missing. Otherwise the clocks of this machine.
 *
 * <p>Threads: any.
 */
public final class BrokenTime implements TimeSource {

    private final AtomicInteger left = new AtomicInteger();
    private volatile Predicate<Thread> where = thread -> false;

    /** The next {@code times} readings of the monotonic time by these threads get an Error. */
    public void fail(int times, Predicate<Thread> threads) {
        left.set(0);
        where = threads;
        left.set(times);
    }

    /** Errors that nobody has got yet. */
    public int left() {
        return left.get();
    }

    @Override
    public long wallMillis() {
        return SYSTEM.wallMillis();
    }

    @Override
    public long monotonicMillis() {
        if (left.get() > 0
                && where.test(Thread.currentThread())
                && left.getAndUpdate(times -> Math.max(0, times - 1)) > 0) {
            throw new OutOfMemoryError("a test's");
        }
        return SYSTEM.monotonicMillis();
    }
}
