package io.understudy.testkit.member;

/**
 * A call of a member's listener for the end of a session.
 *
 * @param nanos when, by {@link System#nanoTime}, which all processes of one Linux machine share
 * @param cause {@code invalidated} or {@code expired}
 * @param key of the session
 * @param id of the session, its last
 */
public record Ended(long nanos, String cause, String key, String id) {}
