package io.understudy.tomcat;

import java.security.Principal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.apache.catalina.authenticator.Constants;
import org.jspecify.annotations.Nullable;

/**
 * Who is logged in, and what a login interrupted: kept with the session on all nodes, beside the application's attributes.
 * Tomcat's own form of it is transient.
 *
 * <p>Threads: any.
 */
final class LoginState {

    private static final String PRINCIPAL = "tomcat.principal";
    private static final String AUTH_TYPE = "tomcat.authType";
    private static final String NOTE = "tomcat.note.";
    private static final String SIGN_ON = "tomcat.signOn";

    /** Without these no other node can go on with a login by form. Those that hold a password stay where they are. */
    private static final Set<String> NOTES = Set.of(Constants.FORM_REQUEST_NOTE, Constants.SESSION_ID_NOTE);

    private final ConcurrentMap<String, Object> kept;

    LoginState(ConcurrentMap<String, Object> kept) {
        this.kept = kept;
    }

    static boolean keeps(String note) {
        return NOTES.contains(note);
    }

    /**
     * Whether an object of the session has nothing that is not replicated.
     *
     * @param login {@code null} if no login is
     */
    static boolean hasAll(@Nullable LoginState login, Map<String, Object> notes, @Nullable Principal principal) {
        return login == null
                ? notes.isEmpty() && principal == null
                : notes.keySet().stream().allMatch(LoginState::keeps);
    }

    @Nullable
    Principal principal() {
        return (Principal) kept.get(PRINCIPAL);
    }

    void principal(@Nullable Principal principal) {
        keep(PRINCIPAL, principal);
    }

    @Nullable
    String authType() {
        return (String) kept.get(AUTH_TYPE);
    }

    void authType(@Nullable String type) {
        keep(AUTH_TYPE, type);
    }

    /** The id of the single sign-on that the session goes with. */
    @Nullable
    String signOn() {
        return (String) kept.get(SIGN_ON);
    }

    void signOn(String id) {
        keep(SIGN_ON, id);
    }

    /** @param route of this node: the id of the session that a login began in is noted with the route it had there */
    @Nullable
    Object note(String name, @Nullable String route) {
        Object value = kept.get(NOTE + name);
        return value instanceof String id && name.equals(Constants.SESSION_ID_NOTE)
                ? SessionIds.routed(id, route)
                : value;
    }

    void note(String name, @Nullable Object value) {
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
