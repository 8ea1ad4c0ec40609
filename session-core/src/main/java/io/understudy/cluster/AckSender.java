package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Ack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jgroups.Address;

/**
 * Sends acknowledgements, many in one frame when they come faster than frames go, and without delay when they do not: the
 * thread that finds no other sending to that member sends all that has gathered until nothing is left.
 *
 * <p>Threads: any.
 */
final class AckSender {

    /** Acknowledgements in one frame; a frame then stays below 10 KB. */
    private static final int MAX_ACKS = 1000;

    private static final class Outbox {
        private final Queue<Ack> acks = new ConcurrentLinkedQueue<>();

        /** Acknowledgements queued and not yet sent; whoever raises it from zero sends. */
        private final AtomicInteger unsent = new AtomicInteger();
    }

    private final Map<Address, Outbox> outboxes = new ConcurrentHashMap<>();
    private final BiConsumer<Address, Frame> send;

    AckSender(BiConsumer<Address, Frame> send) {
        this.send = send;
    }

    void ack(Address member, Ack ack) {
        Outbox outbox = outboxes.computeIfAbsent(member, address -> new Outbox());
        outbox.acks.add(ack);
        if (outbox.unsent.getAndIncrement() != 0) {
            return;
        }
        int unsent = 1;
        do {
            // At most those counted: an acknowledgement is queued before it is counted, and taken once.
            List<Ack> acks = new ArrayList<>();
            for (int i = Math.min(unsent, MAX_ACKS); i > 0; i--) {
                acks.add(outbox.acks.remove());
            }
            send.accept(member, new Frame.Acks(acks));
            unsent = outbox.unsent.addAndGet(-acks.size());
        } while (unsent != 0);
    }

    /** Frees what is kept of a member that left. */
    void forget(Address member) {
        outboxes.remove(member);
    }
}
