package io.understudy.testkit.member;

/**
 * Bytes of a member's heap.
 *
 * @param used after a collection
 * @param peak the most that a collection left in use since the last reading, or the start
 */
public record Heap(long used, long peak) {}
