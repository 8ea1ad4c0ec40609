package io.understudy.demo.launcher.node;

/** A started servlet container. */
interface Container {

    /** How long requests in flight may take to end, in milliseconds. */
    long DRAIN_MILLIS = 5_000;

    /** Idle connections stay open for so long, in milliseconds; longer than the front door keeps them. */
    int IDLE_MILLIS = 60_000;

    /** The largest form accepted, in bytes; the shop's notes may be long. */
    int MAX_FORM_BYTES = 16 << 20;

    /** Ends requests in flight, leaves the cluster and closes the ports. */
    void stop() throws Exception;
}
