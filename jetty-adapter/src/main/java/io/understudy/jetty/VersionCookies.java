package io.understudy.jetty;

import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.VersionCookieConfig;
import io.understudy.session.VersionCookie;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpCookieUtils;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.session.AbstractSessionManager;
import org.eclipse.jetty.session.SessionManager;
import org.jspecify.annotations.Nullable;

/**
 * The version cookies of one request and its response: each session has one, beside that with its id.
 *
 * <p>Threads: those of the request.
 */
final class VersionCookies {

    private final Request request;
    private final Map<UnderstudySession, VersionCookie> told = new ConcurrentHashMap<>(1);

    VersionCookies(Request request) {
        this.request = request;
    }

    /** The values of the cookies that the request bears; of contexts inside each other it may bear several. */
    static List<String> borne(Request request, ApplicationConfig settings) {
        VersionCookieConfig config = settings.versionCookie();
        return config.on()
                ? Request.getCookies(request).stream()
                        .filter(cookie -> config.names(cookie.getName()))
                        .map(HttpCookie::getValue)
                        .toList()
                : List.of();
    }

    /** What the head of the response is to tell the client, as far as that does not know it. */
    List<HttpField> of(Collection<UnderstudySession> sessions) {
        List<HttpField> cookies = new ArrayList<>(1);
        for (UnderstudySession session : sessions) {
            VersionCookie version = session.live().version();
            SessionManager manager = session.getSessionManager();
            if (version != null && manager.isUsingCookies()) {
                told.put(session, version);
                if (!borne(request, session.live().settings()).contains(version.value())) {
                    cookies.add(new HttpField(HttpHeader.SET_COOKIE, beside(attributes(manager), version)));
                }
            }
        }
        return cookies;
    }

    /**
     * Those of the session cookie. They are not taken from one: a session whose cookie is made notes that the client
     * gets it, and would not set it when that is due.
     */
    private Map<String, String> attributes(SessionManager manager) {
        Map<String, String> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (manager instanceof AbstractSessionManager configured) {
            attributes.putAll(configured.getSessionCookieAttributes());
        }
        if (manager.isSecureRequestOnly() && request.isSecure()) {
            attributes.put(HttpCookie.SECURE_ATTRIBUTE, "true");
        }
        return attributes;
    }

    private static @Nullable String beside(Map<String, String> attributes, VersionCookie version) {
        return HttpCookieUtils.getRFC6265SetCookie(
                HttpCookie.build(HttpCookie.from(version.name(), version.value(), attributes))
                        .maxAge(VersionCookie.MAX_AGE)
                        .build());
    }

    /** Whether the session changed since the head left, so that the client will not bear it all. */
    boolean outdated(UnderstudySession session) {
        VersionCookie before = told.get(session);
        return before != null && !before.equals(session.live().version());
    }
}
