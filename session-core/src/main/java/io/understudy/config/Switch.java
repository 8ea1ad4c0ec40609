package io.understudy.config;

/** Whether something is done at all. */
public enum Switch {
    OFF,
    ON
}
