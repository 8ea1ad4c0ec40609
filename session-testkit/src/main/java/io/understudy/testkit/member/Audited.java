package io.understudy.testkit.member;

/**
 * An entry of a member's audit.
 *
 * @param what happened, as the audit calls it
 * @param key of the session
 * @param id of the session, {@code null} as text if it was not known
 * @param member that did it
 */
public record Audited(String what, String key, String id, String member) {}
