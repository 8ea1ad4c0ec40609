package io.understudy.config;

import java.time.Duration;

/**
 * What a node keeps of applications that do not run. Each component is described by its {@link Setting}.
 *
 * @param undeployed zero is not at all
 */
public record Retention(Duration undeployed) {

    static Retention read(SettingReader read) {
        return new Retention(read.duration(Setting.RETAIN_UNDEPLOYED, Duration.ZERO));
    }
}
