package io.understudy.replica;

/**
 * Orders the writes of one field across all members: a hybrid logical clock time, then the origin that wrote.
 *
 * <p>{@code time} holds milliseconds in its upper 48 bits and a counter in its lower 16 (Kulkarni et al., "Logical
 * Physical Clocks", OPODIS 2014). An origin is the random number of one start of a member and is never reused.
 *
 * @param time the hybrid time, never negative
 * @param origin the writer
 */
public record Stamp(long time, long origin) implements Comparable<Stamp> {

    public Stamp {
        if (time < 0) {
            throw new IllegalArgumentException("stamp time must be >= 0, was " + time);
        }
    }

    @Override
    public int compareTo(Stamp other) {
        int byTime = Long.compare(time, other.time);
        return byTime != 0 ? byTime : Long.compareUnsigned(origin, other.origin);
    }

    /** The wall-clock part, in milliseconds since the epoch of the writer's clock. */
    public long millis() {
        return time >>> HybridClock.COUNTER_BITS;
    }
}
