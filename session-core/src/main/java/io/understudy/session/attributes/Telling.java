package io.understudy.session.attributes;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A value is being told that it was decoded, by one thread. Others that read it wait until that is over, while they hold
 * nothing of this module's.
 *
 * <p>Threads: any.
 */
final class Telling {

    /** A listener may need a lock of the application's that a waiting reader holds: they are not to wait for ever. */
    private static final long LIMIT_SECONDS = 5;

    private final Object value;
    private final Thread by = Thread.currentThread();
    private final CountDownLatch over = new CountDownLatch(1);

    Telling(Object value) {
        this.value = value;
    }

    @SuppressWarnings("ReferenceEquality") // An equal value is another one.
    boolean of(@Nullable Object other) {
        return value == other;
    }

    boolean byThisThread() {
        return by == Thread.currentThread();
    }

    void over() {
        over.countDown();
    }

    /** Waits until it is over. An interrupted thread goes on at once, and stays interrupted. */
    void await() {
        try {
            if (!over.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                return; // The value is used without having been told.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
