package io.understudy.config.session;

/** What becomes of a request that does not get its session's lock in time. */
public enum OnLockTimeout {
    /** It is answered with 503. */
    REFUSE,
    /** It goes on without the lock. */
    PROCEED
}
