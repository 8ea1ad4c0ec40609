package io.understudy.codec.buffers;

import java.util.Set;

/**
 * What bytes were read as.
 *
 * @param reordered whether it may be written in another order than that of the bytes, and than that of another copy
 * @param heapBytes that it takes, by estimate
 * @param dropped fields that the bytes have and the class here has not, each behind its class; at most {@link #MOST_DROPPED}
 */
public record Decoded(Object value, boolean reordered, int heapBytes, Set<String> dropped) {

    /** So many are named. */
    public static final int MOST_DROPPED = 10;
}
