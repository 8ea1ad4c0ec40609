package io.understudy.tomcat;

import org.jspecify.annotations.Nullable;

/** Session ids with and without the route suffix that Tomcat and Jetty append for load balancers. */
final class SessionIds {

    private SessionIds() {}

    /** The part that names the session on every node. */
    static String bare(String id) {
        int dot = id.lastIndexOf('.');
        return dot > 0 ? id.substring(0, dot) : id;
    }

    /** The id as this node hands it out. */
    static String routed(String bareId, @Nullable String route) {
        return route == null ? bareId : bareId + '.' + route;
    }
}
