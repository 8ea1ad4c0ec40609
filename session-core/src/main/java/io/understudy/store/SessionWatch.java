package io.understudy.store;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Wakes a request that waits for something of a session to arrive.
 *
 * <p>Threads: one waits; any may wake it.
 */
public final class SessionWatch implements AutoCloseable {

    private final Semaphore merges = new Semaphore(0);
    private final Runnable onClose;

    SessionWatch(Runnable onClose) {
        this.onClose = onClose;
    }

    void wake() {
        merges.release();
    }

    /**
     * Waits until the condition holds, which is asked at once and after each merge of the session. An interrupted thread does
     * not wait, and stays interrupted.
     *
     * @return whether it holds
     */
    public boolean await(BooleanSupplier condition, long nanos) {
        long deadline = System.nanoTime() + nanos;
        try {
            while (!condition.getAsBoolean()) {
                if (!merges.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return condition.getAsBoolean();
                }
                merges.drainPermits();
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        onClose.run();
    }
}
