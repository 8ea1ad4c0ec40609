package io.understudy.threads;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets threads wait for what other threads change. Not the monitor that guards it: in a monitor a waiting virtual thread keeps its carrier,
 * on JDK 21 to 23.
 *
 * <p>Threads: any.
 */
public final class Changes {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** To be called after a change, without the lock that guards it. */
    public void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the condition holds.
     *
     * @param condition asked at first and after each change
     * @return whether it held before the time was over
     */
    public boolean await(BooleanSupplier condition, long millis) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lockInterruptibly();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
