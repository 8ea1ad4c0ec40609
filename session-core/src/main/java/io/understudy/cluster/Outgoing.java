package io.understudy.cluster;

import java.util.concurrent.CompletableFuture;

/** A change that is merged here, has its place in the order of its session, and is on its way to the other members. */
public final class Outgoing {

    private final CompletableFuture<Boolean> held;

    Outgoing(CompletableFuture<Boolean> held) {
        this.held = held;
    }

    /**
     * Does not wait: what can't be sent now waits elsewhere.
     *
     * @return completes with true once every member that counts holds the change, with false if nobody else holds it
     */
    public CompletableFuture<Boolean> send() {
        return held;
    }
}
