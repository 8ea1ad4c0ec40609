package io.understudy.config.session;

/** Whether something is done at all. */
public enum Toggle {
    OFF,
    ON
}
