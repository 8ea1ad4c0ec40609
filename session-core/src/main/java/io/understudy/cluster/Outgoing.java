package io.understudy.cluster;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jgroups.Message;

/** A change that is merged here, has its place in the order of its session, is at risk, and is yet to be sent. */
public final class Outgoing {

    /**
     * One message of the change.
     *
     * @param held completes with how many hold it, once as many as were asked for do, or all have answered or left
     */
    record Part(Message message, CompletableFuture<Held> held) {}

    private final List<Part> parts;
    private final Consumer<Message> transport;
    private final CompletableFuture<Held> held;

    Outgoing(List<Part> parts, Consumer<Message> transport) {
        this.parts = parts;
        this.transport = transport;
        CompletableFuture<Held> all = parts.get(0).held();
        for (Part part : parts.subList(1, parts.size())) {
            all = all.thenCombine(part.held(), (earlier, last) -> last); // Parts are taken in order.
        }
        this.held = all;
    }

    /** Completes with how many hold the whole change, once as many as were asked for do, or all have answered or left. */
    public CompletableFuture<Held> held() {
        return held;
    }

    /** Sends the change to all other members, once. To be called outside every lock: it may wait for credits. */
    public void send() {
        parts.forEach(part -> transport.accept(part.message()));
    }
}
