package io.understudy.replica;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A hybrid logical clock: close to the wall clock, strictly increasing, and above every stamp it is shown.
 *
 * <p>A peer whose clock runs ahead can move this one by at most {@link #MAX_LEAD_MILLIS}; the rule that a write beats
 * what it overwrites does not depend on that, see {@link #next(long)}.
 *
 * <p>Threads: any.
 */
public final class HybridClock {

    /** Bits of a hybrid time below the milliseconds. */
    static final int COUNTER_BITS = 16;

    /** How far, in milliseconds, stamps of peers may push this clock ahead of the local wall clock. */
    static final long MAX_LEAD_MILLIS = 60_000;

    private final LongSupplier wallMillis;
    private final long origin;
    private final AtomicLong last = new AtomicLong();

    /**
     * @param wallMillis milliseconds since the epoch
     * @param origin the random number of this start of this member
     */
    public HybridClock(LongSupplier wallMillis, long origin) {
        this.wallMillis = wallMillis;
        this.origin = origin;
    }

    public long origin() {
        return origin;
    }

    /** A stamp above all that this method gave before. */
    public Stamp next() {
        return new Stamp(tick(), origin);
    }

    /**
     * A stamp above {@code overwritten}, however far ahead that is, and above all that {@link #next()} gave before. An
     * overwritten time that is ahead of this clock does not move it: other fields keep the bounded clock. Above {@link
     * Stamp#MAX_TIME} there is nothing; a write over a stamp of that time gets the same, and the origin decides.
     */
    public Stamp next(long overwritten) {
        long time = tick();
        return new Stamp(time > overwritten ? time : Math.min(Stamp.MAX_TIME, overwritten + 1), origin);
    }

    /** Takes note of a peer's time, so that what is written here afterwards is stamped above it. */
    public void observe(long time) {
        if (time <= last.get()) {
            return;
        }
        long bound = (wallMillis.getAsLong() + MAX_LEAD_MILLIS) << COUNTER_BITS;
        long seen = Math.min(time, bound);
        last.accumulateAndGet(seen, Math::max);
    }

    private long tick() {
        long now = wallMillis.getAsLong() << COUNTER_BITS;
        return last.updateAndGet(previous -> Math.min(Stamp.MAX_TIME, Math.max(previous + 1, now)));
    }
}
