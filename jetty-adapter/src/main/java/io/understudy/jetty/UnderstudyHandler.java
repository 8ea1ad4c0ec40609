package io.understudy.jetty;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The first handler of the server: refuses requests for sessions that this node can't tell about yet, and makes the
 * responses of the others wait for their commits.
 *
 * <p>It may wait for the network, so the server takes it, and itself, for blocking.
 */
final class UnderstudyHandler extends Handler.Wrapper {

    /** When to come again, in seconds. */
    static final String RETRY_AFTER_SECONDS = "1";

    private final UnderstudySessionFactory factory;

    UnderstudyHandler(UnderstudySessionFactory factory) {
        this.factory = factory;
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!factory.admits(request)) {
            response.setStatus(HttpStatus.SERVICE_UNAVAILABLE_503);
            response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_AFTER_SECONDS);
            Content.Sink.write(response, true, "This node does not have all sessions yet.\n", callback);
            return true;
        }
        Exchange exchange = new Exchange(request);
        request.addHttpStreamWrapper(
                stream -> new CoherentStream(stream, exchange, factory.node().config()));
        ExchangeScope.enter(exchange);
        try {
            return super.handle(exchange, response, callback);
        } finally {
            ExchangeScope.exit();
        }
    }
}
