package io.understudy.session.attributes;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that could not be encoded for a reason that may pass: other nodes keep its last good state, as long as another
 * thread or a full heap may be the reason. That has a bound, as that state grows old.
 *
 * @param since when the first commit put it off, in milliseconds of the monotonic clock
 * @param commits how many commits in a row failed, this one included
 * @param cause what each try of the last commit failed with; {@code null} if they differ, or another thread is the reason
 * @param over whether it is put off no longer: until it is encoded, it counts as one that can't be
 */
record PutOff(long since, int commits, @Nullable String cause, boolean over) {

    /** How long, in milliseconds, a value is put off at most. */
    static final long MOST_MILLIS = 10_000;

    /** How many commits fail before that time counts: a node that stood still has not tried. */
    static final int LEAST_COMMITS = 4;

    /** How long, in milliseconds, failures alike last at least: an answered request commits more than once. */
    static final long LEAST_MILLIS = 1_000;

    /** A value that may be as the others have it: nobody can tell while there is no memory to look. */
    static PutOff perhapsUnchanged(long now) {
        return new PutOff(now, 1, null, false);
    }

    /**
     * A commit failed.
     *
     * @param before how the commit before it put off the same object; {@code null} if that commit did not
     * @param alone whether one request at most runs, and no other thread is known that may change the object
     */
    static PutOff of(@Nullable PutOff before, long now, @Nullable String cause, boolean alone) {
        if (before == null) {
            return new PutOff(now, 1, cause, false);
        }
        int commits = before.commits + 1;
        boolean alike =
                cause != null && alone && Objects.equals(cause, before.cause) && now - before.since >= LEAST_MILLIS;
        boolean tooLong = commits >= LEAST_COMMITS && now - before.since >= MOST_MILLIS;
        return new PutOff(before.since, commits, cause, before.over || alike || tooLong);
    }
}
