package io.understudy.cluster;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jgroups.Message;

/** A change that is merged here, has its place in the order of its session, and is yet to be sent. */
public final class Outgoing {

    /**
     * One message of the change.
     *
     * @param held completes with whether another member holds it, once all that count have answered or left
     */
    record Part(Message message, CompletableFuture<Boolean> held) {}

    private final List<Part> parts;
    private final Consumer<Message> transport;

    Outgoing(List<Part> parts, Consumer<Message> transport) {
        this.parts = parts;
        this.transport = transport;
    }

    /**
     * Sends the change to all other members, once. To be called outside every lock: it may wait for credits.
     *
     * @return completes with true once every member that counts holds the change, with false if nobody else holds it
     */
    public CompletableFuture<Boolean> send() {
        parts.forEach(part -> transport.accept(part.message()));
        CompletableFuture<Boolean> all = parts.get(0).held();
        for (Part part : parts.subList(1, parts.size())) {
            all = all.thenCombine(part.held(), (earlier, last) -> last); // Parts are taken in order.
        }
        return all;
    }
}
