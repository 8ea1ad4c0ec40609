package io.understudy.session.adapter;

/**
 * What an application wants to know about its sessions. A listener that fails is counted and logged, and keeps no
 * session from its end.
 *
 * <p>Threads: that of the request, or one of the node with the application's class loader.
 */
public interface SessionListener {

    /** A request made the session on this node. */
    default void created(BlockingSession session) {}

    /** A request on this node gave the session a new id. */
    default void renamed(BlockingSession session, String oldId) {}

    /** The session is about to end: on one node of the cluster, once. Its attributes can still be read. */
    default void destroyed(BlockingSession session) {}
}
