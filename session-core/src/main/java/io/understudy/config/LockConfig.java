package io.understudy.config;

import java.time.Duration;
import java.util.Map;

/**
 * Which requests take their session's lock, and for how long they wait for it. Each component is described by its {@link
 * Setting}.
 */
public record LockConfig(Toggle sessionLock, PathPatterns paths, Duration timeout, OnLockTimeout onTimeout) {

    static LockConfig read(SettingReader read) {
        return new LockConfig(
                read.choice(Setting.SESSION_LOCK, Toggle.class),
                read.paths(Setting.LOCK_PATHS),
                read.duration(Setting.LOCK_TIMEOUT, Duration.ofMillis(1)),
                read.choice(Setting.ON_LOCK_TIMEOUT, OnLockTimeout.class));
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        return Map.of(
                Setting.SESSION_LOCK, sessionLock.name(),
                Setting.LOCK_PATHS, paths.toString(),
                Setting.LOCK_TIMEOUT, timeout.toMillis() + "ms",
                Setting.ON_LOCK_TIMEOUT, onTimeout.name());
    }

    /**
     * Whether requests to a path take the lock.
     *
     * @param path inside the application, decoded, beginning with a slash
     */
    public boolean takenBy(String path) {
        return sessionLock == Toggle.ON && paths.matches(path);
    }
}
