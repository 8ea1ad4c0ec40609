package io.understudy.expiry;

import io.understudy.expiry.ExpiryMessage.Reason;

/** What became of a claim. */
public enum Verdict {
    /** This member may end the session, and no other. */
    GRANTED,
    /** The session was used later than the claimer knew, or is in use. */
    USED,
    /** It is over already. */
    ENDED,
    /** Another member, or another thread of this one, is ending it. */
    CLAIMED,
    /** Not every member has answered. */
    OPEN;

    /** What a veto makes of it. */
    public static Verdict of(Reason reason) {
        return switch (reason) {
            case USED, IN_USE -> USED;
            case ENDED -> ENDED;
            case CLAIMED -> CLAIMED;
        };
    }
}
