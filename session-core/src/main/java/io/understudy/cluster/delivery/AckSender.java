package io.understudy.cluster.delivery;

import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Ack;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jgroups.Address;

/**
 * Sends acknowledgements, many in one frame when they come faster than frames go, and without delay when they do not.
 * The thread that finds no other sending to that member sends what has gathered: two frames, and what comes meanwhile is
 * left to a thread that has nothing else to do. The sending thread may be the one that reads from another member.
 *
 * <p>What can't be sent stays queued, and goes with the member's next acknowledgement or with {@link #flush}. What was sent
 * may be lost. So the acknowledgements of the latest {@value SentAcks#WINDOW} numbers of each member are kept, and sent
 * {@linkplain #again} if it asks.
 *
 * <p>Threads: any.
 */
public final class AckSender {

    /** Acknowledgements in one frame; a frame then stays below 10 KB. */
    private static final int MAX_ACKS = 1000;

    /** Frames to one member that a thread sends before it leaves the rest to another one. */
    private static final int FRAMES = 2;

    private static final class Outbox {
        private final Queue<Ack> acks = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean sending = new AtomicBoolean();

        /** Whether the rest is left to a thread that has not begun yet. */
        private final AtomicBoolean left = new AtomicBoolean();

        private final SentAcks sent = new SentAcks();
    }

    private final Map<Address, Outbox> outboxes = new ConcurrentHashMap<>();
    private final BiConsumer<Address, Frame> send;
    private final Consumer<Throwable> failed;
    private final Predicate<Runnable> elsewhere;

    /**
     * @param send throws if it could not send
     * @param failed receives what it threw; throws nothing
     * @param elsewhere runs a task on another thread; false if it can't; throws nothing
     */
    public AckSender(BiConsumer<Address, Frame> send, Consumer<Throwable> failed, Predicate<Runnable> elsewhere) {
        this.send = send;
        this.failed = failed;
        this.elsewhere = elsewhere;
    }

    /** Sends the acknowledgement, or leaves it to a thread that sends to that member already. */
    public void ack(Address member, Ack ack) {
        Outbox outbox = outbox(member);
        outbox.acks.add(ack);
        drain(member, outbox);
    }

    /**
     * Queues an acknowledgement for the next {@link #flush}, for a caller that gathers many and flushes at their end.
     */
    public void enqueue(Address member, Ack ack) {
        outbox(member).acks.add(ack);
    }

    private Outbox outbox(Address member) {
        Outbox known = outboxes.get(member); // Nearly always, and without a lock.
        return known == null ? outboxes.computeIfAbsent(member, address -> new Outbox()) : known;
    }

    /** Sends what is queued; also tries again what could not be sent. */
    public void flush() {
        outboxes.forEach(this::drain);
    }

    /** A member that can't be sent to is no other one's business. */
    private void drain(Address member, Outbox outbox) {
        try {
            int frames = 0;
            // Whoever queues looks after the flag of the one who sends, and the other way round: nothing stays behind.
            while (!outbox.acks.isEmpty() && outbox.sending.compareAndSet(false, true)) {
                try {
                    send(member, outbox);
                } finally {
                    outbox.sending.set(false);
                }
                frames++;
                if (frames >= FRAMES && !outbox.acks.isEmpty() && leave(member, outbox)) {
                    return;
                }
            }
        } catch (Throwable e) {
            failed.accept(e);
        }
    }

    /** Leaves what is queued to another thread, which looks at the queue after this; whether there is one. */
    private boolean leave(Address member, Outbox outbox) {
        if (!outbox.left.compareAndSet(false, true)) {
            return true;
        }
        boolean taken = false;
        try {
            taken = elsewhere.test(() -> {
                outbox.left.set(false); // Before the look: who queues after that leaves it to one more.
                drain(member, outbox);
            });
        } finally {
            if (!taken) {
                outbox.left.set(false);
            }
        }
        return taken;
    }

    private void send(Address member, Outbox outbox) {
        Queue<Ack> queue = outbox.acks;
        List<Ack> acks = new ArrayList<>();
        Iterator<Ack> first = queue.iterator();
        while (first.hasNext() && acks.size() < MAX_ACKS) {
            acks.add(first.next());
        }
        if (acks.isEmpty()) {
            return; // Another thread sent them between the look and the flag.
        }
        send.accept(member, new Frame.Acks(acks));
        try {
            outbox.sent.add(acks);
        } catch (Throwable e) {
            failed.accept(e); // Without memory for that, they can't be sent again.
        }
        for (int i = 0; i < acks.size(); i++) {
            queue.remove(); // Not before: what can't be sent keeps its place. Nobody else takes from here meanwhile.
        }
    }

    /** A member lacks these acknowledgements. Those that were sent go again; the others go when there is something to acknowledge. */
    public void again(Address member, Collection<Long> numbers) {
        Outbox outbox = outboxes.get(member);
        if (outbox != null) {
            outbox.acks.addAll(outbox.sent.of(numbers));
            drain(member, outbox);
        }
    }

    /** Frees what is kept of other members: of those that left, also if something came from them later. */
    public void view(Set<Address> members) {
        outboxes.keySet().retainAll(members);
    }
}
