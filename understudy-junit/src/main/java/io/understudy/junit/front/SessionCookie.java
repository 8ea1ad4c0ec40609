package io.understudy.junit.front;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the id of the session that a client has after a response. */
final class SessionCookie {

    private SessionCookie() {}

    /**
     * The id.
     *
     * @param name of the cookie
     * @param sent values of {@code Cookie} in the request
     * @param set values of {@code Set-Cookie} in the response, which come first
     * @return {@code null} if the client has none
     */
    static @Nullable String id(String name, List<String> sent, List<String> set) {
        String id = null;
        for (String cookies : sent) {
            for (String cookie : cookies.split(";", -1)) {
                String value = value(name, cookie);
                id = value == null ? id : value;
            }
        }
        for (String cookie : set) {
            String value = value(name, cookie.split(";", 2)[0]);
            id = value == null ? id : value;
        }
        return id == null || id.isEmpty() ? null : id;
    }

    private static @Nullable String value(String name, String cookie) {
        String[] parts = cookie.strip().split("=", 2);
        return parts.length == 2 && parts[0].equals(name) ? parts[1].replace("\"", "") : null;
    }
}
