package io.understudy.config;

/** On which nodes listeners are told of the end of a session. */
public enum EndEvents {
    /** On the node that ends it. */
    ONCE,
    /** Afterwards also on each other node on which a request used it. */
    EVERYWHERE
}
