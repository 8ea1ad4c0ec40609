package io.understudy.config.session;

import java.time.Duration;

/**
 * The cookie by which a node knows what the client has seen of its session. Each component is a setting.
 *
 * @param name how the names begin; empty is none
 * @param longest the longest wait
 */
public record VersionCookieConfig(String name, String secret, Duration longest) {

    public boolean on() {
        return !name.isEmpty();
    }

    /**
     * The name of the cookie of one application on one start of one node. Each has its own: responses of several nodes
     * may reach a client at once, and one response may be about sessions of several applications.
     */
    public String named(String application, long origin) {
        return name + "-" + Long.toHexString((origin ^ application.hashCode()) & 0xffff);
    }

    /** Whether a cookie that a request bears is one of a node. */
    public boolean names(String cookie) {
        return on() && cookie.startsWith(name + "-");
    }

    /** Without the secret: settings are logged. */
    @Override
    public String toString() {
        return "VersionCookieConfig[name=" + name + ", longest=" + longest + "]";
    }
}
