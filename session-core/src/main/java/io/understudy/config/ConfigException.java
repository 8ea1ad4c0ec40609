package io.understudy.config;

/** A setting is unknown, malformed or does not go with another; the message names it, its value and a valid one. */
public final class ConfigException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }
}
