package io.understudy.cluster.expiry;

import io.understudy.expiry.Verdict;
import io.understudy.replica.SessionKey;
import io.understudy.threads.Uninterrupted;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The verdicts on this member's claims that its threads wait for. All who wait for one session get the same.
 *
 * <p>Threads: any.
 */
final class ClaimVerdicts {

    private final Map<SessionKey, CompletableFuture<Verdict>> open = new ConcurrentHashMap<>();

    /** Completes when it is decided. To be asked for before the claim is made. */
    CompletableFuture<Verdict> of(SessionKey key) {
        return open.computeIfAbsent(key, first -> new CompletableFuture<>());
    }

    boolean isOpen(SessionKey key) {
        return open.containsKey(key);
    }

    void decided(SessionKey key, Verdict verdict) {
        CompletableFuture<Verdict> asked = open.remove(key);
        if (asked != null) {
            asked.complete(verdict);
        }
    }

    /**
     * Waits until all is decided, or {@code limit} is over. An interrupt does not shorten that, or a claim would be taken
     * for one that members did not answer in time.
     */
    static void await(Future<?> verdicts, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        Uninterrupted.run(() -> {
            try {
                verdicts.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                return; // The caller looks.
            } catch (ExecutionException e) {
                throw new IllegalStateException("a verdict never fails", e);
            }
        });
    }
}
