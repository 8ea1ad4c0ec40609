package io.understudy.config;

/** How the others learn of a session that has no attributes, as crawlers make them, in a request that does not wait. */
public enum EmptySessions {
    /** With others, in one message for each {@code touchInterval}. */
    ANNOUNCE,
    /** At once, each by itself. */
    REPLICATE
}
