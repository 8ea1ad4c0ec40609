package io.understudy;

/**
 * Whether a node should get traffic.
 *
 * @param ready whether it holds all sessions of all its applications
 * @param reason one line for people: why it is not ready, or what it holds and who the other members are
 */
public record Readiness(boolean ready, String reason) {}
