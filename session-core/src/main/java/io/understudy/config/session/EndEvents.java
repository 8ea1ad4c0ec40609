package io.understudy.config.session;

/** Which nodes call their listeners when a session ends. */
public enum EndEvents {
    /** On the node that ends it. */
    ONCE,
    /** Afterwards also on each other node on which a request used it. */
    EVERYWHERE
}
