package io.understudy.config;

import io.understudy.config.session.Toggle;
import java.time.Duration;
import java.util.Map;

/**
 * What a node keeps of applications that do not run. Each component is described by its {@link Setting}.
 *
 * @param undeployed zero is not at all
 * @param keepDirectory empty is none
 */
public record Retention(Duration undeployed, Toggle keepSessions, String keepDirectory) {

    static Retention read(SettingReader read) {
        Retention retention = new Retention(
                read.duration(Setting.RETAIN_UNDEPLOYED, Duration.ZERO),
                read.choice(Setting.KEEP_SESSIONS, Toggle.class),
                read.text(Setting.KEEP_DIRECTORY));
        if (retention.keepSessions == Toggle.ON && retention.keepDirectory.isEmpty()) {
            throw read.malformed(
                    Setting.KEEP_DIRECTORY, "must name a directory if 'keepSessions' is 'on'", "/var/lib/understudy");
        }
        if (retention.keepSessions == Toggle.ON && retention.undeployed.isZero()) {
            throw read.malformed(
                    Setting.RETAIN_UNDEPLOYED,
                    "must not be 0s if 'keepSessions' is 'on': applications stop before their node",
                    Setting.RETAIN_UNDEPLOYED.defaultValue());
        }
        return retention;
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        return Map.of(
                Setting.RETAIN_UNDEPLOYED,
                undeployed.toMillis() + "ms",
                Setting.KEEP_SESSIONS,
                keepSessions.name(),
                Setting.KEEP_DIRECTORY,
                keepDirectory);
    }
}
