package io.understudy.cluster.locking;

import io.understudy.replica.SessionKey;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A request's claim to the lock of a session, held or waiting. Threads: any. */
public final class LockClaim {

    private final SessionKey key;
    private final long request;
    private final CompletableFuture<Long> granted;
    private volatile boolean released;

    LockClaim(SessionKey key, long request, CompletableFuture<Long> granted) {
        this.key = key;
        this.request = request;
        this.granted = granted;
    }

    SessionKey key() {
        return key;
    }

    long request() {
        return request;
    }

    /** The request gives it up. Needs no memory: if what follows fails it is done again. */
    void released() {
        released = true;
    }

    boolean isReleased() {
        return released;
    }

    /**
     * Waits for the lock.
     *
     * @return the grant's fence; empty if it was not granted in time, the thread was interrupted (and stays so), or the
     *     node closes
     */
    public OptionalLong await(Duration limit) {
        try {
            return OptionalLong.of(granted.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | CancellationException e) {
            return OptionalLong.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a grant never fails", e);
        }
    }
}
