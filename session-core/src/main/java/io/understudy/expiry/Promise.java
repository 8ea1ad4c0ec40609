package io.understudy.expiry;

/**
 * That another member may end a session.
 *
 * @param orphan whether that member is gone
 * @param asks how often it was looked at since it was given, or who is here changed
 */
record Promise(long number, Claim claim, boolean orphan, int asks) {}
