package io.understudy.benchmarks.lanes;

import io.understudy.network.stack.Stacks;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Sits on top of a stack and looks at each update of other members once it was handled: counts it, and on demand
 * measures how long it took since it was sent and whether it came after a later one of its session. Alike for every
 * way of sending.
 *
 * <p>Threads: any.
 */
final class Probe extends Protocol {

    /** Delays above this, in microseconds (one minute), are recorded as this. */
    private static final long MAX_MICROS = 60_000_000;

    private static final int DIGITS = 3;

    private final Predicate<Message> update;
    private final @Nullable LongUnaryOperator sentNanos;
    private final LongAdder count = new LongAdder();
    private final AtomicLong outOfOrder = new AtomicLong();
    private final Map<Long, Long> last = new ConcurrentHashMap<>();
    private final ConcurrentHistogram delays = new ConcurrentHistogram(MAX_MICROS, DIGITS);
    private final LongAccumulator lastNanos = new LongAccumulator(Math::max, Long.MIN_VALUE);

    /**
     * @param update tells updates from other messages
     * @param sentNanos when the value that is now held of a session was sent, by {@link System#nanoTime}, which all
     *     processes of one Linux machine share; {@code null} to count only
     */
    Probe(Predicate<Message> update, @Nullable LongUnaryOperator sentNanos) {
        this.update = update;
        this.sentNanos = sentNanos;
    }

    @Override
    public @Nullable Object up(Message message) {
        Object result = up_prot.up(message);
        handled(message);
        return result;
    }

    @Override
    public void up(MessageBatch batch) {
        if (sentNanos != null) {
            for (Message message : batch) {
                up(message);
            }
            return;
        }
        int updates = 0;
        for (Message message : batch) {
            updates += isUpdate(message) ? 1 : 0;
        }
        up_prot.up(batch);
        count.add(updates);
        lastNanos.accumulate(System.nanoTime());
    }

    private boolean isUpdate(Message message) {
        return message.getDest() == null && !message.getSrc().equals(local_addr) && update.test(message);
    }

    private void handled(Message message) {
        if (!isUpdate(message)) {
            return;
        }
        long now = System.nanoTime();
        Stacks.Place place = sentNanos == null ? null : Stacks.place(message);
        if (sentNanos != null && place != null) {
            delays.recordValue(Math.min(MAX_MICROS, Math.max(0, (now - sentNanos.applyAsLong(place.scope())) / 1000)));
            Long before = last.put(place.scope(), place.number());
            if (before != null && before >= place.number()) {
                outOfOrder.incrementAndGet();
            }
        }
        count.increment();
        lastNanos.accumulate(now);
    }

    /** Updates handled since the start. */
    long count() {
        return count.sum();
    }

    /** When the last was handled; the lowest number there is before the first. */
    long lastNanos() {
        return lastNanos.get();
    }

    /** Updates handled after, or again after, a later one of their session. */
    long outOfOrder() {
        return outOfOrder.get();
    }

    /** The delays in microseconds since the last call. While nothing arrives. */
    Histogram takeDelays() {
        Histogram taken = delays.copy();
        delays.reset();
        return taken;
    }
}
