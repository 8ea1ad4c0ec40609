package io.understudy.codec;

/**
 * What bytes were read as.
 *
 * @param reordered whether it may be written in another order than that of the bytes, and than that of another copy
 * @param heapBytes that it takes, by estimate
 */
record Decoded(Object value, boolean reordered, int heapBytes) {}
