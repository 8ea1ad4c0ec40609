package io.understudy.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a merge did.
 *
 * @param before what was stored, {@code null} if the session was unknown
 * @param after what is stored now
 * @param conflicts how many attributes came with the stamp of another value
 * @param refused whether a session that had ended here, so long ago that it was forgotten, was refused: {@code after}
 *     is its tombstone anew, which the others need
 * @param yielded whether an expiry came of a session that is live here by a use that its judge did not know: the judge
 *     must get that use
 * @param shared ids that another live session has, too
 */
public record Merged(
        @Nullable StoredReplica before,
        StoredReplica after,
        int conflicts,
        boolean refused,
        boolean yielded,
        List<String> shared) {

    /** Whether the session was live and is over now. */
    public boolean endedNow() {
        return before != null && before.replica().live() && after.replica().ended();
    }

    /**
     * Whether a use that its expiry did not know brought the session back. Other members whose replicas had ended may
     * hold what this one missed: all replicas that the same expiry ended look alike to {@link Comparison}, whatever
     * they hold besides.
     */
    public boolean revived() {
        return before != null && before.replica().ended() && !after.replica().ended();
    }

    /** Whether only a part of the session is known here. The whole must then be fetched from the sender of the part. */
    public boolean incomplete() {
        return after.replica().parked();
    }
}
