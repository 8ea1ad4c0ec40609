package io.understudy.cluster;

import java.util.concurrent.CompletableFuture;

/** A change that is merged here, has its place in the order of its session, is at risk, and is on its way to the others. */
public final class Outgoing {

    private final CompletableFuture<Held> held;

    Outgoing(CompletableFuture<Held> held) {
        this.held = held;
    }

    /** Completes with how many hold the whole change, once as many as were asked for do, or all have answered or left. */
    public CompletableFuture<Held> held() {
        return held.copy(); // It is one for all requests whose changes were joined.
    }
}
