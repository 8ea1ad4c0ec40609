package io.understudy.config;

import java.time.Duration;
import java.util.Map;

/**
 * The cookie by which a node knows what the client has seen of its session. Each component is described by its {@link
 * Setting}.
 *
 * @param name how the names begin; empty is none
 * @param longest the longest wait
 */
public record VersionCookieConfig(String name, String secret, Duration longest) {

    private static final int MIN_SECRET = 16;

    static VersionCookieConfig read(SettingReader read) {
        String name = read.text(Setting.VERSION_COOKIE);
        if (!ApplicationConfig.NAME.matcher(name).matches()) {
            throw read.malformed(Setting.VERSION_COOKIE, "must be the name of a cookie", "UNDERSTUDY");
        }
        String secret = read.text(Setting.VERSION_COOKIE_SECRET);
        if (!name.isEmpty() && secret.length() < MIN_SECRET) {
            throw new ConfigException("setting '" + Setting.VERSION_COOKIE_SECRET.key() + "' must have at least "
                    + MIN_SECRET + " characters, and be the same on all nodes, as '" + Setting.VERSION_COOKIE.key()
                    + "' is set; it has " + secret.length() + ". For example the output of: openssl rand -hex 32");
        }
        return new VersionCookieConfig(name, secret, read.duration(Setting.VERSION_COOKIE_WAIT, Duration.ofMillis(1)));
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        return Map.of(
                Setting.VERSION_COOKIE, name,
                Setting.VERSION_COOKIE_SECRET, secret,
                Setting.VERSION_COOKIE_WAIT, longest.toMillis() + "ms");
    }

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
