package io.understudy.replica;

/**
 * What a session is recognised by when members compare.
 *
 * @param hash of all its stamps, see {@link SessionReplica#digest}
 */
public record SessionDigest(SessionKey key, long hash) {

    /** Into how many buckets sessions are grouped, by the first byte of their keys. */
    public static final int BUCKETS = 256;

    /** The bucket of a session; buckets are in the order of keys. */
    public static int bucket(SessionKey key) {
        return (int) (key.value() >>> 56);
    }

    /** What a session adds to the sum of its bucket; sums do not depend on the order. Takes no memory. */
    public static long share(SessionKey key, long hash) {
        long z = (key.value() ^ hash * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 32)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 29);
    }
}
