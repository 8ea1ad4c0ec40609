package io.understudy.session;

import org.jspecify.annotations.Nullable;

/**
 * The name of the user who is logged in to a session, for containers of another kind: only the same kind of container
 * can read a login. The name logs no user in. An application may read it, and trust it as it trusts the cluster.
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

    /** The name of the user who is logged in, on any container; {@code null} if there is none. */
    public static @Nullable String of(LiveSession session) {
        return (String) session.containerAttributes().get(KEPT);
    }
}
