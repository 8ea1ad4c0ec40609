package io.understudy.replica;

import org.jspecify.annotations.Nullable;

/**
 * The tombstone of a session. An invalidation is final. An expiry names the last use it judged, and yields to a later
 * one.
 *
 * @param invalidated whether the session was invalidated
 * @param judged the last use that expiry was decided on, or {@code null} if the session did not expire
 */
public record Ending(boolean invalidated, @Nullable Stamp judged) {

    /** The session was invalidated: nothing brings it back. */
    public static final Ending INVALIDATED = new Ending(true, null);

    /** The session expired as nobody used it after {@code lastUse}. */
    public static Ending expired(Stamp lastUse) {
        return new Ending(false, lastUse);
    }

    /** Whether a session last used at {@code lastUse} is over. */
    public boolean ends(@Nullable Stamp lastUse) {
        return invalidated || (judged != null && (lastUse == null || lastUse.compareTo(judged) <= 0));
    }

    static @Nullable Ending join(@Nullable Ending a, @Nullable Ending b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.invalidated || b.invalidated ? INVALIDATED : new Ending(false, SessionDelta.later(a.judged, b.judged));
    }
}
