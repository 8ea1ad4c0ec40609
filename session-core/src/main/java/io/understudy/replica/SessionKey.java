package io.understudy.replica;

import org.jspecify.annotations.Nullable;

/**
 * The immutable random key of a session; it stays when the session id changes.
 *
 * @param value 64 random bits
 */
public record SessionKey(long value) implements Comparable<SessionKey> {

    /**
     * Written out, like {@link #hashCode}: what a record has by itself is linked at its first call, which takes memory.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionKey key && key.value == value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }

    @Override
    public int compareTo(SessionKey other) {
        return Long.compareUnsigned(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toHexString(value);
    }
}
