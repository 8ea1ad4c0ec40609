package io.understudy.jetty;

import io.understudy.RequestCoherence;
import io.understudy.jetty.Exchange.Settled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Holds a response back until the changes of its request are acknowledged: its head, and its end when the request changed
 * something after the head.
 *
 * <p>It is inside the stream wrappers of the session handlers, which commit when the head is sent, so the commits are
 * known when the head gets here. No thread waits here, but those that a servlet's error is handled in: the send goes on, on a
 * thread of the handler's, when the last acknowledgement is in.
 *
 * <p>Threads: Jetty sends one thing at a time, from any thread; {@code cancelSend} may come at any moment.
 */
final class CoherentStream extends HttpStream.Wrapper {

    private record Send(
            MetaData.Request request,
            MetaData.@Nullable Response response,
            boolean last,
            @Nullable ByteBuffer content,
            Callback callback) {}

    private final Exchange exchange;
    private final Executor executor;
    private final AtomicReference<@Nullable Send> held = new AtomicReference<>();
    private volatile boolean refused;

    CoherentStream(HttpStream wrapped, Exchange exchange, Executor executor) {
        super(wrapped);
        this.exchange = exchange;
        this.executor = executor;
    }

    @Override
    public void send(
            MetaData.Request request,
            MetaData.@Nullable Response response,
            boolean last,
            @Nullable ByteBuffer content,
            Callback callback) {
        if (refused) {
            callback.succeeded();
            return;
        }
        if (response != null && isFinal(response.getStatus())) {
            exchange.retireOutdated(response.getHttpFields());
        } else if (last) {
            exchange.commit();
        } else {
            super.send(request, response, last, content, callback);
            return;
        }
        CompletableFuture<Settled> settled = exchange.settled();
        if (exchange.failedInServlet()) {
            // The error handlers of EE10 and EE11 write the end of the response twice, and the second time fails unless
            // the first is done (ErrorHandler.generateAcceptableResponse in Jetty 12.1.12). Threads of servlets may
            // wait.
            settled.join();
        }
        if (settled.isDone()) {
            proceed(new Send(request, response, last, content, callback), settled.join());
            return;
        }
        Send send = new Send(request, response, last, content, patient(callback));
        held.set(send);
        CompletableFuture<Void> unused = settled.thenAccept(result -> execute(() -> {
            if (held.compareAndSet(send, null)) {
                try {
                    proceed(send, result);
                } catch (Throwable e) { // Nobody else would ever end the response.
                    send.callback().failed(e);
                }
            }
        }));
    }

    /**
     * Until the send is done, the time the acknowledgements take does not count as idle: Jetty takes a response that was
     * begun and writes nothing for one whose client does not read.
     */
    private Callback patient(Callback callback) {
        long idleTimeout = getIdleTimeout();
        if (idleTimeout <= 0) {
            return callback;
        }
        setIdleTimeout(idleTimeout + exchange.longestMillis());
        return new Callback.Nested(callback) {
            @Override
            public void succeeded() {
                setIdleTimeout(idleTimeout);
                super.succeeded();
            }
        };
    }

    @Override
    public void succeeded() {
        try {
            exchange.over();
        } finally {
            super.succeeded();
        }
    }

    @Override
    public void failed(Throwable cause) {
        try {
            exchange.over();
        } finally {
            super.failed(cause);
        }
    }

    @Override
    public Runnable cancelSend(Throwable cause, Callback callback) {
        Send cancelled = held.getAndSet(null);
        return cancelled == null
                ? super.cancelSend(cause, callback)
                : () -> Callback.combine(cancelled.callback(), callback).failed(cause);
    }

    private void proceed(Send send, Settled settled) {
        if (send.last()) {
            exchange.answered();
        }
        MetaData.Response response = send.response();
        if (settled.degraded()) {
            exchange.setAttribute(RequestCoherence.DEGRADED, true);
            if (settled.refused() && response != null) {
                refuse(send, response, settled.header());
                return;
            }
        }
        if (response != null && isFinal(response.getStatus())) {
            response = completed(response, settled);
        }
        super.send(send.request(), response, send.last(), send.content(), send.callback());
    }

    /** The head with what is known of it only now. */
    private MetaData.Response completed(MetaData.Response response, Settled settled) {
        List<HttpField> cookies = exchange.versionCookies();
        if (settled.header().isEmpty() && cookies.isEmpty()) {
            return response;
        }
        HttpFields.Mutable fields = HttpFields.build(response.getHttpFields());
        cookies.forEach(fields::add);
        if (!settled.header().isEmpty()) {
            fields.put(settled.header(), "true");
        }
        return new MetaData.Response(
                response.getStatus(),
                response.getReason(),
                response.getHttpVersion(),
                fields,
                response.getContentLength(),
                response.getTrailersSupplier());
    }

    /** Sends 503 in place of the response. It keeps the cookies: after a change of the id the old one is refused. */
    private void refuse(Send send, MetaData.Response response, String header) {
        refused = true;
        HttpFields.Mutable fields = HttpFields.build();
        response.getHttpFields().forEach(field -> {
            if (field.getHeader() == HttpHeader.SET_COOKIE
                    || field.getHeader() == HttpHeader.DATE
                    || field.getHeader() == HttpHeader.SERVER) {
                fields.add(field);
            }
        });
        fields.put(HttpHeader.RETRY_AFTER, UnderstudyHandler.RETRY_AFTER_SECONDS);
        fields.put(HttpHeader.CONTENT_LENGTH, 0);
        if (!header.isEmpty()) {
            fields.put(header, "true");
        }
        super.send(
                send.request(),
                new MetaData.Response(HttpStatus.SERVICE_UNAVAILABLE_503, null, response.getHttpVersion(), fields, 0),
                true,
                null,
                send.callback());
    }

    /**
     * Acknowledgements arrive on threads of the cluster, which must not write to clients. The server's own threads may all
     * be waiting for just these sends, in blocking writes.
     */
    private void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (Throwable e) {
            // The server stops, or the system gives no more threads. Its responses leave from here.
            task.run();
        }
    }

    /** An interim response (100, 103) promises nothing; a switch of protocols is final although its status is below 200. */
    private static boolean isFinal(int status) {
        return status >= HttpStatus.OK_200 || status == HttpStatus.SWITCHING_PROTOCOLS_101;
    }
}
