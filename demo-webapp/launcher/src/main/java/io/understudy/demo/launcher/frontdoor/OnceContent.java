package io.understudy.demo.launcher.frontdoor;

import org.eclipse.jetty.client.ContentSourceRequestContent;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The body a client sends, streamed to a node. A failure on the way to the node does not spoil the client's request: as
 * long as nothing was read from it, it can go to another node.
 *
 * <p>Threads: one at a time, as Jetty's client calls; {@link #touched} on any.
 */
final class OnceContent extends ContentSourceRequestContent {

    private volatile boolean touched;
    private volatile @Nullable Throwable failure;

    OnceContent(Request client) {
        super(client, client.getHeaders().get(HttpHeader.CONTENT_TYPE));
    }

    /** Whether a part of the body was taken: it can't be sent again. */
    boolean touched() {
        return touched;
    }

    @Override
    public Content.@Nullable Chunk read() {
        Throwable failed = failure;
        if (failed != null) {
            return Content.Chunk.from(failed, true);
        }
        Content.Chunk chunk = super.read();
        if (chunk != null) {
            touched = true;
        }
        return chunk;
    }

    @Override
    public void fail(Throwable cause) {
        failure = cause;
    }

    @Override
    public void fail(Throwable cause, boolean last) {
        failure = cause;
    }

    /** Jetty's client would rewind a body to send it again; whether a request is sent again is decided by {@link Visit}. */
    @Override
    public boolean rewind() {
        return false;
    }
}
