package io.understudy.jetty;

import java.lang.reflect.Method;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * What Jetty keeps of a login in a session: an attribute, whose class each environment has of its own (its {@code
 * SessionAuthentication}), so that it is asked by reflection.
 */
final class Logins {

    /** The attribute, in all environments. */
    static final String ATTRIBUTE = "org.eclipse.jetty.security.UserIdentity";

    private Logins() {}

    /** The name of who is logged in by this value; {@code null} if it is none that is known. */
    static @Nullable String nameOf(@Nullable Object login) {
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
