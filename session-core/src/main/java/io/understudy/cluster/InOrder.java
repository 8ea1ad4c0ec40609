package io.understudy.cluster;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Hands out what rules under a lock decided, outside that lock and in the order of the decisions. Whichever thread finds no
 * other at it does it; none waits for another.
 *
 * @param <O> what is handed out
 */
final class InOrder<O> {

    private final Consumer<O> handler;
    private final Queue<O> outputs = new ConcurrentLinkedQueue<>();

    /** Outputs added and not yet handled; whoever raises it from zero handles them. */
    private final AtomicInteger unhandled = new AtomicInteger();

    /** @param handler must not wait; called by one thread at a time */
    InOrder(Consumer<O> handler) {
        this.handler = handler;
    }

    /** To be called under the lock that orders the decisions, and followed by {@link #handOut} outside it. */
    void add(List<O> decided) {
        outputs.addAll(decided);
    }

    /** @param added how many were added by the caller */
    void handOut(int added) {
        if (added == 0 || unhandled.getAndAdd(added) != 0) {
            return;
        }
        int waiting = added;
        do {
            for (int i = 0; i < waiting; i++) {
                handler.accept(outputs.remove());
            }
            waiting = unhandled.addAndGet(-waiting);
        } while (waiting != 0);
    }
}
