package io.understudy.tomcat.login;

import io.understudy.session.LiveSession;
import io.understudy.tomcat.container.SessionIds;
import java.security.Principal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.apache.catalina.authenticator.Constants;
import org.jspecify.annotations.Nullable;

/**
 * The user of a session, and the request that a login interrupted: kept with the session on all nodes, beside the
 * application's attributes. Tomcat's own form of it is transient.
 *
 * <p>Threads: any.
 */
public final class LoginState {

    private static final String PRINCIPAL = "tomcat.principal";
    private static final String AUTH_TYPE = "tomcat.authType";
    private static final String NOTE = "tomcat.note.";
    private static final String SIGN_ON = "tomcat.signOn";

    /** Without these no other node can go on with a login by form. Those that hold a password stay where they are. */
    private static final Set<String> NOTES = Set.of(Constants.FORM_REQUEST_NOTE, Constants.SESSION_ID_NOTE);

    private final ConcurrentMap<String, Object> kept;

    public LoginState(ConcurrentMap<String, Object> kept) {
        this.kept = kept;
    }

    public static boolean keeps(String note) {
        return NOTES.contains(note);
    }

    /**
     * Whether an object of the session has nothing that is not replicated.
     *
     * @param login {@code null} if no login is
     */
    public static boolean hasAll(@Nullable LoginState login, Map<String, Object> notes, @Nullable Principal principal) {
        return login == null
                ? notes.isEmpty() && principal == null
                : notes.keySet().stream().allMatch(LoginState::keeps);
    }

    @Nullable
    public Principal principal() {
        return (Principal) kept.get(PRINCIPAL);
    }

    public void principal(@Nullable Principal principal) {
        keep(PRINCIPAL, principal);
    }

    @Nullable
    public String authType() {
        return (String) kept.get(AUTH_TYPE);
    }

    public void authType(@Nullable String type) {
        keep(AUTH_TYPE, type);
    }

    /** The id of the single sign-on that the session goes with; {@code null} if none. */
    public static @Nullable String signOn(LiveSession session) {
        return (String) session.containerAttributes().get(SIGN_ON);
    }

    /** Whichever logins are replicated: the end of the session, on any node, ends the sign-on, which is. */
    public static void signOn(LiveSession session, String id) {
        session.containerAttributes().put(SIGN_ON, id);
    }

    /** @param route of this node: the id of the session that a login began in is noted with the route it had there */
    @Nullable
    public Object note(String name, @Nullable String route) {
        Object value = kept.get(NOTE + name);
        return value instanceof String id && name.equals(Constants.SESSION_ID_NOTE)
                ? SessionIds.routed(id, route)
                : value;
    }

    public void note(String name, @Nullable Object value) {
        boolean sessionId = name.equals(Constants.SESSION_ID_NOTE);
        keep(NOTE + name, sessionId && value instanceof String id ? SessionIds.bare(id) : value);
    }

    private void keep(String name, @Nullable Object value) {
        if (value == null) {
            kept.remove(name);
        } else {
            kept.put(name, value);
        }
    }
}
