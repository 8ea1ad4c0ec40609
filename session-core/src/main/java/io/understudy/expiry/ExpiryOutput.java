package io.understudy.expiry;

import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.replica.SessionKey;

/** What {@link EndClaims} wants done, in this order. */
public sealed interface ExpiryOutput<M> {

    /** Send a message to another member, in order with earlier ones to it. */
    record Send<M>(M to, ExpiryMessage message) implements ExpiryOutput<M> {}

    /** This member may end the session: all others promised. */
    record Granted<M>(SessionKey key) implements ExpiryOutput<M> {}

    /**
     * This member may not end it.
     *
     * @param by whose word that is; this member's own if nobody else's
     */
    record Lost<M>(SessionKey key, M by, Veto veto) implements ExpiryOutput<M> {}

    /** A promise given here is over, or a claim of this member: threads that wait for the session look again. */
    record Settled<M>(SessionKey key) implements ExpiryOutput<M> {}
}
