package io.understudy.testkit.history;

import io.understudy.testkit.history.Write.Outcome;

/** Which writes must be there in the end. */
public enum Promise {
    /** Those that were acknowledged. */
    ACKNOWLEDGED,
    /** Those too that were only sent, or answered degraded: of clusters where nobody died. */
    ALL_ANSWERED;

    boolean covers(Outcome outcome) {
        return outcome == Outcome.ACKNOWLEDGED || (this == ALL_ANSWERED && outcome == Outcome.DEGRADED);
    }
}
