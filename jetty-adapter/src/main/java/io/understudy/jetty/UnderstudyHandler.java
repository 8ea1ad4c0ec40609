package io.understudy.jetty;

import io.understudy.threads.DaemonThreads;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

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

    /** Sends responses on when their changes are acknowledged. Few threads, as no send waits. */
    private volatile @Nullable ExecutorService acknowledged;

    UnderstudyHandler(UnderstudySessionFactory factory) {
        this.factory = factory;
    }

    @Override
    protected void doStart() throws Exception {
        acknowledged = Executors.newCachedThreadPool(task -> DaemonThreads.of("understudy-acknowledged", task));
        super.doStart();
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        ExecutorService threads = acknowledged;
        if (threads != null) {
            threads.shutdown();
        }
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        ReplicatedRequest exchange = new ReplicatedRequest(request, factory);
        // Before the request takes anything: from now on the end of its stream gives it up.
        request.addHttpStreamWrapper(
                stream -> new CoherentStream(stream, exchange, Objects.requireNonNull(acknowledged)));
        Settled settled = factory.admit(request);
        if (settled == null) {
            refuse(response, callback, "This node does not know yet whether the session exists.\n");
            return true;
        }
        exchange.admitted(settled);
        if (!exchange.lock()) {
            refuse(response, callback, "Another request holds the lock of this session for too long.\n");
            return true;
        }
        return ExchangeScope.within(exchange, () -> super.handle(exchange, response, callback));
    }

    private static void refuse(Response response, Callback callback, String reason) {
        response.setStatus(HttpStatus.SERVICE_UNAVAILABLE_503);
        response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_AFTER_SECONDS);
        Content.Sink.write(response, true, reason, callback);
    }
}
