package io.understudy.expiry;

import java.util.Set;

/** A session that this member wants to end, or ends. */
final class LocalClaim<M> {

    /** How far it is. */
    enum State {
        OPEN,
        GRANTED,
        BEGUN
    }

    final long number;
    final Claim claim;
    final Set<M> awaited;

    /** Of those the ones that an invalidation does not wait for. */
    final Set<M> slow;

    /** Whether a member that is gone wanted it, and may have told some listeners. */
    final boolean inherited;

    State state = State.OPEN;

    LocalClaim(long number, Claim claim, Set<M> awaited, Set<M> slow, boolean inherited) {
        this.number = number;
        this.claim = claim;
        this.awaited = awaited;
        this.slow = slow;
        this.inherited = inherited;
    }

    /** Whether nobody's vote is needed any more. A silent member can know a later use, so that an expiry needs it. */
    boolean answered(Set<M> silent) {
        return awaited.isEmpty()
                || (claim.kind() == Claim.Kind.INVALIDATION
                        && awaited.stream().allMatch(member -> silent.contains(member) || slow.contains(member)));
    }

    @Override
    public String toString() {
        return state + " " + number + " " + claim.kind() + " awaits " + awaited + (inherited ? " inherited" : "");
    }
}
