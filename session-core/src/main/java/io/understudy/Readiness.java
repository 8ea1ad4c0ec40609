package io.understudy;

/**
 * Whether a node should get traffic.
 *
 * @param ready whether it holds all sessions of all its applications
 * @param reason one line for people: why it is not ready, or since when it is
 */
public record Readiness(boolean ready, String reason) {}
