package io.understudy.audit;

/** What happened to a session. */
public enum What {
    /** A member wants to end it, and asks the others. */
    CLAIMED,
    /** A member does not agree: it was used there later, is in use or over, or is being ended there. */
    VETOED,
    /** A member tells its listeners, the only one to do so. */
    FIRED,
    /** The same, after a member left that wanted to: that one may have told some of its listeners already. */
    FIRED_AGAIN,
    /** It is over, as nobody used it for too long. */
    EXPIRED,
    /** It is over, as somebody ended it. */
    INVALIDATED
}
