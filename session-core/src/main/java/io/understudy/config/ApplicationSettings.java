package io.understudy.config;

import io.understudy.config.session.Acks;
import io.understudy.config.session.Coherence;
import io.understudy.config.session.EndEvents;
import io.understudy.config.session.LockConfig;
import io.understudy.config.session.OnDegraded;
import io.understudy.config.session.OnLockTimeout;
import io.understudy.config.session.OnNotReplicable;
import io.understudy.config.session.SessionDoctorMode;
import io.understudy.config.session.Toggle;
import io.understudy.config.session.VersionCookieConfig;
import java.io.ObjectInputFilter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The settings that each application of a node may have its own of, as text. */
final class ApplicationSettings {

    /** What the name of a header or of a cookie may consist of (RFC 9110, token), or nothing. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]*");

    private static final int MIN_SECRET = 16;

    private ApplicationSettings() {}

    static ApplicationConfig read(SettingReader read) {
        return new ApplicationConfig(
                read.choice(Setting.COHERENCE, Coherence.class),
                read.choice(Setting.ACKS, Acks.class),
                read.paths(Setting.COHERENT_PATHS),
                read.paths(Setting.INCOHERENT_PATHS),
                read.duration(Setting.ACK_TIMEOUT, Duration.ofMillis(1)),
                read.choice(Setting.ON_DEGRADED, OnDegraded.class),
                header(read),
                filter(read),
                AttributeClasses.read(read),
                lock(read),
                versionCookie(read),
                read.choice(Setting.ON_NOT_REPLICABLE, OnNotReplicable.class),
                read.choice(Setting.END_EVENTS, EndEvents.class),
                read.choice(Setting.SESSION_DOCTOR, SessionDoctorMode.class));
    }

    private static String header(SettingReader read) {
        String name = read.text(Setting.DEGRADED_HEADER);
        if (!NAME.matcher(name).matches()) {
            throw read.malformed(Setting.DEGRADED_HEADER, "must be the name of a header", "Understudy-Degraded");
        }
        return name;
    }

    private static String filter(SettingReader read) {
        String patterns = read.text(Setting.ATTRIBUTE_FILTER);
        try {
            ObjectInputFilter.Config.createFilter(patterns);
        } catch (IllegalArgumentException e) {
            throw read.malformed(
                    Setting.ATTRIBUTE_FILTER, "must be patterns of classes (" + e.getMessage() + ")", "com.acme.**");
        }
        if (patterns.contains("=")) {
            throw read.malformed(
                    Setting.ATTRIBUTE_FILTER, "must not set bounds, which follow from the bytes", "com.acme.**");
        }
        return patterns;
    }

    private static LockConfig lock(SettingReader read) {
        return new LockConfig(
                read.choice(Setting.SESSION_LOCK, Toggle.class),
                read.paths(Setting.LOCK_PATHS),
                read.duration(Setting.LOCK_TIMEOUT, Duration.ofMillis(1)),
                read.choice(Setting.ON_LOCK_TIMEOUT, OnLockTimeout.class));
    }

    private static VersionCookieConfig versionCookie(SettingReader read) {
        String name = read.text(Setting.VERSION_COOKIE);
        if (!NAME.matcher(name).matches()) {
            throw read.malformed(Setting.VERSION_COOKIE, "must be the name of a cookie", "UNDERSTUDY");
        }
        String secret = Secrets.value(read, Setting.VERSION_COOKIE_SECRET);
        if (!name.isEmpty() && secret.length() < MIN_SECRET) {
            throw new ConfigException("setting '" + Setting.VERSION_COOKIE_SECRET.key() + "' must have at least "
                    + MIN_SECRET + " characters, and be the same on all nodes, as '" + Setting.VERSION_COOKIE.key()
                    + "' is set; it has " + secret.length() + ". For example the output of: openssl rand -hex 32");
        }
        return new VersionCookieConfig(name, secret, read.duration(Setting.VERSION_COOKIE_WAIT, Duration.ofMillis(1)));
    }

    /** What {@link #read} reads. */
    static Map<Setting, String> asText(ApplicationConfig config) {
        Map<Setting, String> all = new EnumMap<>(Setting.class);
        all.put(Setting.COHERENCE, config.coherence().name());
        all.put(Setting.ACKS, config.acks().name());
        all.put(Setting.COHERENT_PATHS, config.coherentPaths().toString());
        all.put(Setting.INCOHERENT_PATHS, config.incoherentPaths().toString());
        all.put(Setting.ACK_TIMEOUT, config.ackTimeout().toMillis() + "ms");
        all.put(Setting.ON_DEGRADED, config.onDegraded().name());
        all.put(Setting.DEGRADED_HEADER, config.degradedHeader());
        all.put(Setting.ATTRIBUTE_FILTER, config.attributeFilter());
        all.put(Setting.ATTRIBUTE_CLASSES, config.attributeClasses().toString());
        all.put(Setting.ON_NOT_REPLICABLE, config.onNotReplicable().name());
        all.put(Setting.END_EVENTS, config.endEvents().name());
        all.put(Setting.SESSION_DOCTOR, config.sessionDoctor().name());
        LockConfig lock = config.lock();
        all.put(Setting.SESSION_LOCK, lock.sessionLock().name());
        all.put(Setting.LOCK_PATHS, lock.paths().toString());
        all.put(Setting.LOCK_TIMEOUT, lock.timeout().toMillis() + "ms");
        all.put(Setting.ON_LOCK_TIMEOUT, lock.onTimeout().name());
        VersionCookieConfig cookie = config.versionCookie();
        all.put(Setting.VERSION_COOKIE, cookie.name());
        all.put(Setting.VERSION_COOKIE_SECRET, cookie.secret());
        all.put(Setting.VERSION_COOKIE_WAIT, cookie.longest().toMillis() + "ms");
        return all;
    }
}
