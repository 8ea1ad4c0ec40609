package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Ack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jgroups.Address;

/**
 * Sends acknowledgements, many in one frame when they come faster than frames go, and without delay when they do not: the
 * thread that finds no other sending to that member sends all that has gathered until nothing is left.
 *
 * <p>What can't be sent stays queued, and goes with the member's next acknowledgement or with {@link #flush}.
 *
 * <p>Threads: any.
 */
final class AckSender {

    /** Acknowledgements in one frame; a frame then stays below 10 KB. */
    private static final int MAX_ACKS = 1000;

    private static final class Outbox {
        private final Queue<Ack> acks = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean sending = new AtomicBoolean();
    }

    private final Map<Address, Outbox> outboxes = new ConcurrentHashMap<>();
    private final BiConsumer<Address, Frame> send;

    /** @param send throws if it could not send */
    AckSender(BiConsumer<Address, Frame> send) {
        this.send = send;
    }

    /**
     * Sends the acknowledgement, or leaves it to a thread that sends to that member already.
     *
     * @throws RuntimeException as thrown by the sender; the acknowledgement is kept
     */
    void ack(Address member, Ack ack) {
        Outbox outbox = outbox(member);
        outbox.acks.add(ack);
        drain(member, outbox);
    }

    /** Queues an acknowledgement for the next {@link #flush}: of whoever gathers many and flushes at their end. */
    void gather(Address member, Ack ack) {
        outbox(member).acks.add(ack);
    }

    private Outbox outbox(Address member) {
        Outbox known = outboxes.get(member); // Nearly always, and without a lock.
        return known == null ? outboxes.computeIfAbsent(member, address -> new Outbox()) : known;
    }

    /** Sends what is queued; also tries again what could not be sent. */
    void flush() {
        outboxes.forEach(this::drain);
    }

    private void drain(Address member, Outbox outbox) {
        // Whoever queues looks after the flag of the one who sends, and the other way round: nothing stays behind.
        while (!outbox.acks.isEmpty() && outbox.sending.compareAndSet(false, true)) {
            try {
                send(member, outbox.acks);
            } finally {
                outbox.sending.set(false);
            }
        }
    }

    private void send(Address member, Queue<Ack> queue) {
        List<Ack> acks = new ArrayList<>();
        for (Ack ack = queue.poll(); ack != null; ack = acks.size() < MAX_ACKS ? queue.poll() : null) {
            acks.add(ack);
        }
        if (acks.isEmpty()) {
            return; // Another thread sent them between the look and the flag.
        }
        boolean sent = false;
        try {
            send.accept(member, new Frame.Acks(acks));
            sent = true;
        } finally {
            if (!sent) {
                queue.addAll(acks); // They may be sent in any order.
            }
        }
    }

    /** Frees what is kept of a member that left. */
    void forget(Address member) {
        outboxes.remove(member);
    }
}
