package io.understudy.config.session;

/** How the other nodes learn of a session that has no attributes, as crawlers make them. */
public enum EmptySessions {
    /** With others, in one message for each {@code touchInterval}; at once if the request waits for acknowledgements. */
    ANNOUNCE,
    /** At once, as of any other session. */
    REPLICATE,
    /** Not before it has attributes, or another node is asked for it. */
    LOCAL
}
