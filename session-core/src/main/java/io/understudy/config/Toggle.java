package io.understudy.config;

/** Whether something is done at all. */
public enum Toggle {
    OFF,
    ON
}
