package io.understudy.audit;

/** What happened to a session. */
public enum AuditEvent {
    /** A member wants to end it, and asks the others. */
    CLAIMED,
    /** A member does not agree: it was used there later, is in use or over, or is being ended there. */
    VETOED,
    /** A member calls its listeners, as the only one. */
    FIRED,
    /** The same, after the member left that wanted to do so. It may have called some of its listeners already. */
    FIRED_AGAIN,
    /** A rehearsal found that the member could not take it over whole; noted there, for some sessions of each cause. */
    NOT_SURVIVING,
    /** Only the member has all of it, so no other could take it over whole; noted there, for some of each cause. */
    NOT_SURVIVING_ELSEWHERE,
    /** It is over, as nobody used it for too long. */
    EXPIRED,
    /** It is over, as somebody ended it. */
    INVALIDATED
}
