package io.understudy.cluster.delivery;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the sending thread takes what waits. While changes come fast and no request waits for one, a message goes half a
 * millisecond after the one before: what is done once for each message is then done for several changes. A change that
 * comes after a longer time, or that a request waits for, goes at once.
 *
 * <p>Threads: {@link #hurry} any, never waiting; the rest the sending one.
 */
final class Pace {

    /** From one message to the next. */
    static final long GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** Changes that a round takes when messages are large enough without a pause. */
    static final int MANY = 24;

    private final LongSupplier nanoTime;
    private final LongConsumer park;

    private volatile boolean hurried;

    /** The sending thread, while it pauses. */
    private volatile @Nullable Thread pausing;

    private long sentNanos;

    /** Changes sent since the last look. */
    private int changes;

    Pace() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    /** @param park waits for so many nanoseconds at most, and no longer than until it is unparked */
    Pace(LongSupplier nanoTime, LongConsumer park) {
        this.nanoTime = nanoTime;
        this.park = park;
        this.sentNanos = nanoTime.getAsLong() - GAP_NANOS;
    }

    /** A request waits for what was put before, or is about to put something. */
    void hurry() {
        if (!hurried) {
            hurried = true;
        }
        Thread pauses = pausing;
        if (pauses != null) {
            LockSupport.unpark(pauses);
        }
    }

    /**
     * Waits until the sending thread may send the next message; an interrupt ends the wait. The sending thread takes
     * changes after this, so it finds those that were put before a request called {@link #hurry}.
     */
    void await() {
        if (!hurried && changes < MANY) {
            pause(nanoTime.getAsLong());
        }
        changes = 0;
        if (hurried) {
            hurried = false; // Before the look at what waits: a request that hurries from now on has put something new.
        }
    }

    private void pause(long from) {
        pausing = Thread.currentThread(); // Before the look: a request that hurries after it finds this thread to wake.
        try {
            long left = sentNanos + GAP_NANOS - from;
            while (left > 0 && !hurried && !Thread.currentThread().isInterrupted()) {
                park.accept(left);
                left = sentNanos + GAP_NANOS - nanoTime.getAsLong();
            }
        } finally {
            pausing = null;
        }
    }

    /** A message with so many changes has gone. */
    void sent(int count) {
        changes += count;
        sentNanos = nanoTime.getAsLong();
    }
}
