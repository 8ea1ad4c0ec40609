package io.understudy.replica;

import org.jspecify.annotations.Nullable;

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

    /**
     * The highest time there is, in the year 4199. Beyond it nothing is accepted from a peer, so that every write can be
     * stamped above what it overwrites; at it, the origin decides.
     */
    public static final long MAX_TIME = 1L << 62;

    public Stamp {
        if (time < 0 || time > MAX_TIME) {
            throw new IllegalArgumentException("stamp time must be from 0 to " + MAX_TIME + ", was " + time);
        }
    }

    /**
     * Written out, like {@link #hashCode}: what a record has by itself is linked at its first call, which takes memory.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Stamp stamp && stamp.time == time && stamp.origin == origin;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(time) + Long.hashCode(origin);
    }

    @Override
    public int compareTo(Stamp other) {
        return compareTo(other.time, other.origin);
    }

    int compareTo(long otherTime, long otherOrigin) {
        int byTime = Long.compare(time, otherTime);
        return byTime != 0 ? byTime : Long.compareUnsigned(origin, otherOrigin);
    }

    /** The least stamp above this one, which nobody writes at; not to be asked of {@link #MAX_TIME}. */
    Stamp next() {
        return origin == -1 ? new Stamp(time + 1, 0) : new Stamp(time, origin + 1);
    }

    /** The wall-clock part, in milliseconds since the epoch of the writer's clock. */
    public long millis() {
        return time >>> HybridClock.COUNTER_BITS;
    }

    /** The time and the origin in hexadecimal, as "18f2a3b4c5d0000@7f3a". */
    @Override
    public String toString() {
        return Long.toHexString(time) + "@" + Long.toHexString(origin);
    }
}
