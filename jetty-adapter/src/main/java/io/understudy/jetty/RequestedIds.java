package io.understudy.jetty;

import java.util.LinkedHashSet;
import java.util.Set;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.session.SessionManager;

/** The session ids that a request bears, in cookies or its path, for one context: those Jetty will look up. */
final class RequestedIds {

    private RequestedIds() {}

    static Set<String> of(Request request, SessionManager manager) {
        Set<String> ids = new LinkedHashSet<>();
        if (manager.isUsingCookies()) {
            for (HttpCookie cookie : Request.getCookies(request)) {
                if (cookie.getName().equalsIgnoreCase(manager.getSessionCookie())) {
                    add(ids, cookie.getValue(), manager);
                }
            }
        }
        String parameters = request.getHttpURI().getParam();
        String name = manager.getSessionIdPathParameterName();
        if (manager.isUsingUriParameters() && name != null && parameters != null) {
            for (String parameter : parameters.split(";", -1)) {
                if (parameter.startsWith(name + "=")) {
                    add(ids, parameter.substring(name.length() + 1).trim(), manager);
                }
            }
        }
        return ids;
    }

    private static void add(Set<String> ids, String extendedId, SessionManager manager) {
        if (!extendedId.isBlank()) {
            ids.add(manager.getSessionIdManager().getId(extendedId));
        }
    }
}
