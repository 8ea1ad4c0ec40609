package io.understudy.tomcat.barrier;

import java.io.IOException;

/**
 * Where a response waits before the client could have the whole of it: until the changes of its request are
 * acknowledged, or the time for that is over.
 *
 * <p>Threads: those of the request.
 */
public interface Barrier {

    /** Sends what the request changed, waits, and replaces the response by a 503 if the settings want it. */
    void settleOrRefuse() throws IOException;

    /** Whether the request has ended. */
    boolean isOver();
}
