package io.understudy.cluster;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What a member waits for that may have missed what the others did: that they confirm it. Requests are held meanwhile.
 *
 * <p>Threads: any.
 */
final class Confirmation {

    /** How long a request is held. */
    private static final Duration HOLD_LIMIT = Duration.ofSeconds(5);

    private volatile CompletableFuture<Void> confirmed = CompletableFuture.completedFuture(null);

    /** From now on it is waited for. */
    synchronized void begin() {
        if (confirmed.isDone()) {
            confirmed = new CompletableFuture<>();
        }
    }

    /** It has come. */
    synchronized void end() {
        confirmed.complete(null);
    }

    boolean awaited() {
        return !confirmed.isDone();
    }

    /**
     * Waits for it, 5 seconds at most.
     *
     * @return whether it has come
     */
    boolean await() {
        CompletableFuture<Void> now = confirmed;
        if (now.isDone()) {
            return true;
        }
        try {
            now.get(HOLD_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
