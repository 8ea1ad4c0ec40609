package io.understudy.cluster.delivery;

import java.util.concurrent.CompletableFuture;

/**
 * A change that is merged here. Unless there was no memory for that, it has its place in the order of its session, is at risk,
 * and is on its way to the others.
 */
public final class PendingAck {

    private final CompletableFuture<AckResult> held;

    private final boolean placed;

    public PendingAck(CompletableFuture<AckResult> held, boolean placed) {
        this.held = held;
        this.placed = placed;
    }

    /** Whether it has a place. Otherwise it goes again with the next change of its session. */
    public boolean placed() {
        return placed;
    }

    /**
     * Completes with how many hold the whole change, once as many as were asked for do, or all have answered or left. It is one for
     * all requests whose changes were joined: nobody else may complete it.
     */
    public CompletableFuture<AckResult> held() {
        return held;
    }
}
