package io.understudy.testkit.member;

/** How a request to a member ended. */
public enum Result {
    ACKNOWLEDGED,
    SENT,
    DEGRADED,
    UNCHANGED,
    /** A read that found the session. */
    OK,
    /** The member knows no such session; nothing was done. */
    MISSING,
    /** The member does not serve now, as it is not ready and does not know the session; nothing was done. */
    UNAVAILABLE,
    /** The member was killed before it answered: done or not. */
    UNKNOWN
}
