package io.understudy.session.requests;

import java.util.concurrent.atomic.AtomicLong;

/** The requests of a node that use sessions. Threads: any. */
public final class RequestsInFlight {

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();

    public void begin() {
        begun.incrementAndGet();
    }

    public void end() {
        ended.incrementAndGet();
    }

    /** So many have begun. */
    public long begun() {
        return begun.get();
    }

    public long running() {
        long over = ended.get(); // First: what ends between the two has begun.
        return begun.get() - over;
    }
}
