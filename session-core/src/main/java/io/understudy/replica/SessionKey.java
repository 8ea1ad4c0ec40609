package io.understudy.replica;

/**
 * The immutable random key of a session; it stays when the session id changes.
 *
 * @param value 64 random bits
 */
public record SessionKey(long value) implements Comparable<SessionKey> {

    /** Number of buckets the keys are spread over for digests and state transfer. */
    public static final int BUCKETS = 256;

    /** The bucket this key belongs to, from 0 to {@link #BUCKETS} - 1. */
    public int bucket() {
        return (int) (value >>> 56);
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
