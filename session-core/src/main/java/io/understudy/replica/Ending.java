package io.understudy.replica;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tombstone of a session. An invalidation is final. An expiry names the last use it judged, and yields to a later
 * one.
 *
 * @param invalidated whether the session was invalidated
 * @param judged the last use that expiry was decided on, or {@code null} if the session did not expire
 * @param into of an invalidated session, the one that took over what it held, as they had one id; takes later writes, too
 */
public record Ending(
        boolean invalidated,
        @Nullable Stamp judged,
        @Nullable SessionKey into) {

    /** The session was invalidated: nothing brings it back. */
    public static final Ending INVALIDATED = new Ending(true, null, null);

    /** The session goes on as another one. */
    public static Ending united(SessionKey into) {
        return new Ending(true, null, into);
    }

    /** The session expired as nobody used it after {@code lastUse}. */
    public static Ending expired(Stamp lastUse) {
        return new Ending(false, lastUse, null);
    }

    /** Whether a session last used at {@code lastUse} is over. */
    public boolean ends(@Nullable Stamp lastUse) {
        return invalidated || (judged != null && (lastUse == null || lastUse.compareTo(judged) <= 0));
    }

    static @Nullable Ending join(@Nullable Ending a, @Nullable Ending b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        if (!a.invalidated && !b.invalidated) {
            return new Ending(false, SessionDelta.later(a.judged, b.judged), null);
        }
        return a.into == null && b.into == null ? INVALIDATED : united(lower(a.into, b.into));
    }

    private static SessionKey lower(@Nullable SessionKey a, @Nullable SessionKey b) {
        if (a == null || b == null) {
            return Objects.requireNonNull(a == null ? b : a);
        }
        return a.compareTo(b) <= 0 ? a : b;
    }
}
