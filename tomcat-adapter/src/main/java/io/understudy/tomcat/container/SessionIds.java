package io.understudy.tomcat.container;

import org.apache.catalina.LifecycleException;
import org.apache.catalina.SessionIdGenerator;
import org.jspecify.annotations.Nullable;

/** Session ids with and without the route suffix that Tomcat and Jetty append for load balancers. */
public final class SessionIds {

    private SessionIds() {}

    /** The part that names the session on every node. */
    public static String bare(String id) {
        int dot = id.lastIndexOf('.');
        return dot > 0 ? id.substring(0, dot) : id;
    }

    /** The id as this node hands it out. */
    public static String routed(String bareId, @Nullable String route) {
        return route == null || route.isEmpty() ? bareId : bareId + '.' + route;
    }

    /**
     * The new id as this node hands it out. The generator may append a route, or may not.
     *
     * @throws IllegalStateException if the id has a dot: what follows the last dot is the route
     */
    public static String generated(String id, SessionIdGenerator generator, @Nullable String route) {
        String appended = routed("", generator.getJvmRoute());
        String bareId = id.substring(0, id.length() - (id.endsWith(appended) ? appended.length() : 0));
        if (bareId.indexOf('.') >= 0) {
            throw new IllegalStateException(generator.getClass().getName() + " made the session id " + id
                    + ": expected no dot but that of the route '" + route
                    + "', because all that follows the last dot is the route. Use a generator whose ids have no dots");
        }
        return routed(bareId, route);
    }

    /** @throws LifecycleException if no id could be found again in one with this route */
    public static void checkRoute(@Nullable String route) throws LifecycleException {
        if (route != null && route.indexOf('.') >= 0) {
            throw new LifecycleException("jvmRoute = '" + route
                    + "': expected no dot, because all that follows the last dot of a session id is the route; use '"
                    + route.replace('.', '-') + "'");
        }
    }
}
