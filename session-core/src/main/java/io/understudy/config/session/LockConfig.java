package io.understudy.config.session;

import java.time.Duration;

/** Which requests take their session's lock, and for how long they wait for it. Each component is a setting. */
public record LockConfig(Toggle sessionLock, PathPatterns paths, Duration timeout, OnLockTimeout onTimeout) {

    /**
     * Whether requests to a path take the lock.
     *
     * @param path inside the application, decoded, beginning with a slash
     */
    public boolean takenBy(String path) {
        return sessionLock == Toggle.ON && paths.matches(path);
    }
}
