package io.understudy;

import java.util.concurrent.atomic.LongAdder;

/** The requests of a node that use sessions. Threads: any. */
final class RequestsInFlight {

    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    void begin() {
        begun.increment();
    }

    /** @param ran whether it was running: a request may be ended twice */
    void end(boolean ran) {
        ended.add(ran ? 1 : 0);
    }

    /** So many have begun. */
    long begun() {
        return begun.sum();
    }

    long running() {
        long over = ended.sum(); // First: what ends between the two has begun.
        return begun.sum() - over;
    }
}
