package io.understudy.expiry;

import java.util.Set;

/** A session that this member wants to end, or ends. */
final class Own<M> {

    /** How far it is. */
    enum State {
        OPEN,
        GRANTED,
        BEGUN
    }

    final long number;
    final Claim claim;
    final Set<M> awaited;
    State state = State.OPEN;

    Own(long number, Claim claim, Set<M> awaited) {
        this.number = number;
        this.claim = claim;
        this.awaited = awaited;
    }

    @Override
    public String toString() {
        return state + " " + number + " " + claim.kind() + " awaits " + awaited;
    }
}
