package io.understudy.expiry;

import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * A member wants to end a session, and to be the only one that calls its listeners.
 *
 * @param lastUse the last use that the member knows; an expiry is judged by it
 */
public record Claim(SessionKey key, Kind kind, @Nullable Stamp lastUse) {

    /** Why a session is to end; the later one here comes first where members want different ones at once. */
    public enum Kind {
        /** Nobody used it for too long. */
        EXPIRY,
        /** A request, or whoever may, ended it. */
        INVALIDATION
    }

    /** Whether this one goes first of two that two members have at once. */
    <M extends Comparable<? super M>> boolean before(M member, Claim other, M otherMember) {
        int byKind = kind.compareTo(other.kind);
        return byKind != 0 ? byKind > 0 : member.compareTo(otherMember) < 0;
    }
}
