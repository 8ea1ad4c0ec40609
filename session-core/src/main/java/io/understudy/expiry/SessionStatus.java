package io.understudy.expiry;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.replica.Ending;
import io.understudy.replica.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * What a member knows of a session when it votes.
 *
 * @param ending {@code null} if it is not over, or not known
 * @param lastUse {@code null} if not known
 * @param idleMillis how long ago that was
 * @param inUse whether a request uses it here, or has arrived to
 * @param unshared whether no other member knows it, so that none is asked; a member that learns of it later looks at
 *     claims made in between
 */
public record SessionStatus(
        @Nullable Ending ending, @Nullable Stamp lastUse, long idleMillis, boolean inUse, boolean unshared) {

    /**
     * Why the member does not promise a claim.
     *
     * @param usesDoNotCount whether it is the member's own, of a session that a request here found idle for too long
     */
    @Nullable
    Veto veto(Claim claim, boolean usesDoNotCount) {
        if (endedFor(claim)) {
            return new Veto(claim.key(), Reason.ENDED, null, 0);
        }
        if (claim.kind() == Kind.INVALIDATION) {
            return null;
        }
        if (usedAfter(claim)) {
            return new Veto(claim.key(), Reason.USED, lastUse, idleMillis);
        }
        return inUse && !usesDoNotCount ? new Veto(claim.key(), Reason.IN_USE, null, 0) : null;
    }

    private boolean endedFor(Claim claim) {
        Stamp claimed = claim.lastUse();
        return ending != null
                && ending.ends(
                        claimed == null || (lastUse != null && lastUse.compareTo(claimed) > 0) ? lastUse : claimed);
    }

    private boolean usedAfter(Claim claim) {
        Stamp claimed = claim.lastUse();
        return lastUse != null && (claimed == null || lastUse.compareTo(claimed) > 0);
    }
}
