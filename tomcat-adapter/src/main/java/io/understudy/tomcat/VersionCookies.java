package io.understudy.tomcat;

import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.VersionCookieConfig;
import io.understudy.session.VersionCookie;
import jakarta.servlet.http.Cookie;
import java.util.Arrays;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.ApplicationSessionCookieConfig;
import org.jspecify.annotations.Nullable;

/**
 * The version cookies of requests and their responses: each session has one, beside that with its id.
 *
 * <p>Threads: those of the request, one at a time.
 */
final class VersionCookies {

    private static final String SAME_SITE = "SameSite";

    private VersionCookies() {}

    /** The values of the cookies that the request bears; of contexts inside each other it may bear several. */
    static List<String> borne(Request request, ApplicationConfig settings) {
        VersionCookieConfig config = settings.versionCookie();
        Cookie[] cookies = config.on() ? request.getCookies() : null;
        return cookies == null
                ? List.of()
                : Arrays.stream(cookies)
                        .filter(cookie -> config.names(cookie.getName()))
                        .map(Cookie::getValue)
                        .toList();
    }

    /**
     * Gives the client the session's version with the response, unless it bears it.
     *
     * @return {@code false} if the response has begun without it
     */
    static boolean tell(UnderstudySession session, Request request, Response response) {
        VersionCookie version = session.live().version();
        Context context = session.getManager().getContext();
        if (version == null || !context.getCookies()) {
            return true;
        }
        // What the response says counts: whoever resets it takes its cookies back.
        List<String> said = response.getHeaders("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(version.name() + "="))
                .toList();
        boolean known = said.isEmpty()
                ? borne(request, session.live().settings()).contains(version.value())
                : said.get(0).startsWith(version.name() + "=" + version.value() + ";");
        if (known || response.isCommitted()) {
            return known;
        }
        response.addSessionCookieInternal(beside(context, version, request));
        return true;
    }

    private static Cookie beside(Context context, VersionCookie version, Request request) {
        Cookie sessionCookie = ApplicationSessionCookieConfig.createSessionCookie(context, "", request.isSecure());
        Cookie cookie = new Cookie(version.name(), version.value());
        sessionCookie.getAttributes().forEach(cookie::setAttribute);
        String sameSite = sameSite(context, sessionCookie, request);
        if (sameSite != null) {
            cookie.setAttribute(SAME_SITE, sameSite);
        }
        cookie.setMaxAge(VersionCookie.MAX_AGE);
        return cookie;
    }

    /** As clients get it: a cookie processor can give it to the session's cookie alone, as Spring Boot's does. */
    private static @Nullable String sameSite(Context context, Cookie sessionCookie, Request request) {
        String header = context.getCookieProcessor().generateHeader(sessionCookie, request.getRequest());
        return Arrays.stream(header.split(";", -1))
                .map(String::trim)
                .filter(attribute -> attribute.startsWith(SAME_SITE + "="))
                .map(attribute -> attribute.substring(SAME_SITE.length() + 1))
                .findFirst()
                .orElse(null);
    }
}
