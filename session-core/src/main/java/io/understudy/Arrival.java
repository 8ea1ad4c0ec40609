package io.understudy;

/** What to do with a request that bears a session id, before the container looks the session up. */
public enum Arrival {
    /** Go on: the session is here, or no member has it. */
    PROCEED,
    /** This node can't tell yet whether the session exists: answer 503 with {@code Retry-After}, never a new session. */
    UNAVAILABLE
}
