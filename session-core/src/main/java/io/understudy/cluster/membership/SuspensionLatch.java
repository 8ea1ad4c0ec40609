package io.understudy.cluster.membership;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
final class SuspensionLatch {

    /** How long a request is held. */
    private static final Duration HOLD_LIMIT = Duration.ofSeconds(5);

    /** How long others that were there before are waited for: several times what members take to merge. */
    private static final Duration ALONE_AFTER = Duration.ofSeconds(10);

    @GuardedBy("this")
    private long aloneAtNanos;

    private volatile CompletableFuture<Void> confirmed = CompletableFuture.completedFuture(null);

    /**
     * From now on it is waited for.
     *
     * @param others whether there were other members before
     */
    synchronized void begin(boolean others) {
        if (confirmed.isDone()) {
            confirmed = new CompletableFuture<>();
            aloneAtNanos = System.nanoTime() + (others ? ALONE_AFTER.toNanos() : 0);
        }
    }

    /**
     * Whether a member that finds nobody may take itself for the only one. Others took it for dead while it stood still,
     * and it may take them for dead now, before they find each other again.
     */
    synchronized boolean mayBeAlone() {
        return confirmed.isDone() || System.nanoTime() - aloneAtNanos >= 0;
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
