package io.understudy;

import org.jspecify.annotations.Nullable;

/**
 * The name of who is logged in to a session, for containers of another kind: what each kind keeps of a login, only that
 * kind can read. Nobody is logged in by the name; an application may ask for it, and trust it as it trusts the cluster.
 *
 * <p>Threads: any.
 */
public final class LoginName {

    /** Request attribute with the name, of a session that another kind of container logged somebody in to. */
    public static final String ATTRIBUTE = "io.understudy.principal";

    private static final String KEPT = "principal";

    private LoginName() {}

    /** Somebody logged in; {@code null}: out. Travels with the session's next commit. */
    public static void keep(LiveSession session, @Nullable String name) {
        if (name == null) {
            session.containerAttributes().remove(KEPT);
        } else {
            session.containerAttributes().put(KEPT, name);
        }
    }

    /** Who is logged in, wherever; {@code null} if nobody. */
    public static @Nullable String of(LiveSession session) {
        return (String) session.containerAttributes().get(KEPT);
    }
}
