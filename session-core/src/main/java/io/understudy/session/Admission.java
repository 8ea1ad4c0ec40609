package io.understudy.session;

/** What to do with a request that bears a session id, before the container looks the session up; from the best to the worst. */
public enum Admission {
    /** Go on: the session is here, or no member has it. */
    PROCEED,
    /**
     * Go on, but this node has not got all that the client has seen of the session, and did not get it in time: the response is
     * degraded.
     */
    BEHIND,
    /**
     * This node does not know yet whether the session exists: answer 503 with {@code Retry-After}, never a new session.
     */
    UNAVAILABLE;

    /** The worse of two. */
    public static Admission worse(Admission a, Admission b) {
        return a.compareTo(b) < 0 ? b : a;
    }
}
