package io.understudy.expiry;

import io.understudy.replica.Ending;
import io.understudy.replica.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * What a member knows of a session when it is to vote.
 *
 * @param ending {@code null} if it is not over, or not known
 * @param lastUse {@code null} if not known
 * @param idleMillis how long ago that was
 * @param inUse whether a request uses it here, or has arrived to
 */
public record Known(@Nullable Ending ending, @Nullable Stamp lastUse, long idleMillis, boolean inUse) {

    boolean endedFor(Claim claim) {
        Stamp claimed = claim.lastUse();
        return ending != null
                && ending.ends(
                        claimed == null || (lastUse != null && lastUse.compareTo(claimed) > 0) ? lastUse : claimed);
    }

    boolean usedAfter(Claim claim) {
        Stamp claimed = claim.lastUse();
        return lastUse != null && (claimed == null || lastUse.compareTo(claimed) > 0);
    }
}
