package io.understudy.session;

/**
 * What a client is to bear beside the cookie with its session's id, on the same path.
 *
 * @param value of letters, digits, hyphens and underscores; below 300 of them
 */
public record VersionCookie(String name, String value) {

    /** In seconds. A later request finds all that the cluster has; without the cookie no request waits. */
    public static final int MAX_AGE = 60;
}
