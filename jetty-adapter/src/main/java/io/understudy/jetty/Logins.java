package io.understudy.jetty;

import io.understudy.session.LiveSession;
import io.understudy.session.LoginName;
import java.lang.reflect.Method;
import java.security.Principal;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What Jetty keeps of a login in a session: an attribute, whose class each environment has of its own (its {@code
 * SessionAuthentication}), so that it is asked by reflection.
 */
final class Logins {

    /** The attribute, in all environments. */
    static final String ATTRIBUTE = "org.eclipse.jetty.security.UserIdentity";

    private Logins() {}

    /** Gives an application the name of the user who logged in on a container of another kind. */
    static void tell(LiveSession session, Request request) {
        String login = LoginName.of(session);
        if (login != null && !session.unchangingAttributes().containsKey(ATTRIBUTE)) {
            request.setAttribute(LoginName.ATTRIBUTE, login);
        }
    }

    /** An attribute was set, unless that failed: if it is a login, containers of other kinds get the name. */
    static void keep(LiveSession session, @Nullable String attribute, @Nullable Object value) {
        if (ATTRIBUTE.equals(attribute) && session.unchangingAttributes().get(ATTRIBUTE) == value) {
            LoginName.keep(session, nameOf(value));
        }
    }

    /** The name of who is logged in by this value; {@code null} if it is none that is known. */
    private static @Nullable String nameOf(@Nullable Object login) {
        if (login == null) {
            return null;
        }
        try {
            Method identified = login.getClass().getMethod("getUserIdentity");
            Object identity = identified.invoke(login);
            Object principal = identity == null
                    ? null
                    : identified.getReturnType().getMethod("getUserPrincipal").invoke(identity);
            return principal instanceof Principal named ? named.getName() : null;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
