package io.understudy.testkit.member;

/**
 * A listener of a member was told that a session ended.
 *
 * @param nanos when, by {@link System#nanoTime}, which all processes of one Linux machine share
 * @param cause {@code invalidated} or {@code expired}
 * @param key of the session
 * @param id of the session, its last
 */
public record Ended(long nanos, String cause, String key, String id) {}
