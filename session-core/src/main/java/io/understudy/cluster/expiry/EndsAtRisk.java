package io.understudy.cluster.expiry;

import io.understudy.replica.SessionKey;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sessions that an heir ends again if this member dies now: listeners run here, or the end is not acknowledged by the others.
 *
 * <p>Threads: any.
 */
final class EndsAtRisk {

    private final Set<SessionKey> keys = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();

    int count() {
        return keys.size();
    }

    /** Listeners are about to be told. */
    void begun(SessionKey key) {
        keys.add(key);
    }

    /** @param acknowledged completes when the other members have it, or are not waited for any more */
    void ended(SessionKey key, CompletionStage<?> acknowledged) {
        boolean awaited = false;
        try {
            if (keys.contains(key)) {
                var unused = acknowledged.whenComplete((outcome, failure) -> remove(key));
            }
            awaited = true;
        } finally {
            if (!awaited) {
                remove(key); // Without memory to wait for that.
            }
        }
    }

    private void remove(SessionKey key) {
        lock.lock();
        try {
            keys.remove(key);
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there are fewer than {@code most}, for {@code limit} at most. */
    void awaitFewer(int most, Duration limit) {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (keys.size() >= most && left > 0) {
                left = fewer.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
