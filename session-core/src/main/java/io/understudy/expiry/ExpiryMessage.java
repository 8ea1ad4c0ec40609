package io.understudy.expiry;

import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of members about the end of sessions. Messages from one member to another must arrive in order.
 *
 * <p>A {@code number} names the claims of one message; its member never uses it again.
 */
public sealed interface ExpiryMessage {

    long number();

    /** To each member: the sender wants to end these sessions. Answered by {@link Votes}. */
    record Claims(long number, List<Claim> claims) implements ExpiryMessage {
        public Claims {
            claims = List.copyOf(claims);
        }
    }

    /**
     * To the claimer: its claims of this number are promised, but for these. A promise holds until the session is over,
     * the claim given up, or another member's claim promised in its place after the claimer left.
     */
    record Votes(long number, List<Veto> vetoes) implements ExpiryMessage {
        public Votes {
            vetoes = List.copyOf(vetoes);
        }
    }

    /** From the claimer: it does not end these sessions, as far as claims of this number go. */
    record GivenUp(long number, List<SessionKey> keys) implements ExpiryMessage {
        public GivenUp {
            keys = List.copyOf(keys);
        }
    }

    /** To the claimer: whether it still wants these; what it does not want it {@link GivenUp gives up} again. */
    record Ask(long number, List<SessionKey> keys) implements ExpiryMessage {
        public Ask {
            keys = List.copyOf(keys);
        }
    }

    /**
     * To the heir of a member that is gone: the sender has promised these claims of it. They are the heir's to claim, unless
     * it vetoes them by {@link Votes} of this number.
     */
    record Orphans(long number, List<Claim> claims) implements ExpiryMessage {
        public Orphans {
            claims = List.copyOf(claims);
        }
    }

    /**
     * A claim that is not promised.
     *
     * @param lastUse of the session as the voter knows it, if the reason is {@link Reason#USED}
     * @param idleMillis how long ago that was
     */
    record Veto(SessionKey key, Reason reason, @Nullable Stamp lastUse, long idleMillis) {}

    /** Why a claim is not promised. */
    enum Reason {
        /** The voter knows of a later use. */
        USED,
        /** A request uses it there, or is about to. */
        IN_USE,
        /** It is over already. */
        ENDED,
        /** The voter ends it itself. */
        CLAIMED
    }
}
