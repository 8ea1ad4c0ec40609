package io.understudy.demo.launcher.frontdoor;

/** A node as the front door sees it. Threads: any. */
public interface Backend {

    /** What the sticky cookie holds. */
    String name();

    /** The port of its HTTP connector at 127.0.0.1. */
    int httpPort();

    /** Whether it may get traffic now. */
    boolean ready();

    /** A request is about to go to this node. Every one of them {@link #leaves}. */
    void enters(Exchange exchange);

    /** That request ended, in whatever way. Again for the same exchange is without effect. */
    void leaves(Exchange exchange);

    /** A request on its way to a node and back. */
    interface Exchange {

        /** The node no longer answers: go to another one, if that can't do anything twice. */
        void abandon();
    }
}
