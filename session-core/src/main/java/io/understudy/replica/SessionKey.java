package io.understudy.replica;

/**
 * The immutable random key of a session; it stays when the session id changes.
 *
 * @param value 64 random bits
 */
public record SessionKey(long value) implements Comparable<SessionKey> {

    @Override
    public int compareTo(SessionKey other) {
        return Long.compareUnsigned(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toHexString(value);
    }
}
