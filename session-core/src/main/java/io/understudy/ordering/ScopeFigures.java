package io.understudy.ordering;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a member holds back over all origins, and has held back.
 *
 * <p>Threads: any.
 */
final class ScopeFigures {

    private final AtomicLong heldNow = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();
    private final LongAdder everHeld = new LongAdder();
    private final LongAdder released = new LongAdder();
    private final LongAdder gaps = new LongAdder();

    void hold(int bytes) {
        heldNow.incrementAndGet();
        heldBytes.addAndGet(bytes);
        everHeld.increment();
    }

    void letGo(int bytes) {
        heldNow.decrementAndGet();
        heldBytes.addAndGet(-bytes);
    }

    void gap() {
        gaps.increment();
    }

    void released(int messages) {
        released.add(messages);
    }

    long heldNow() {
        return heldNow.get();
    }

    long heldBytes() {
        return heldBytes.get();
    }

    long everHeld() {
        return everHeld.sum();
    }

    /** Messages that went although an earlier one had not come. */
    long released() {
        return released.sum();
    }

    /** Times that a scope went on without an earlier message. */
    long gaps() {
        return gaps.sum();
    }
}
