package io.understudy.jetty;

import io.understudy.session.RequestCoherence;
import io.understudy.threads.DaemonThreads;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Holds a response back until the changes of its request are acknowledged: its head, and its end when the request
 * changed something after the head.
 *
 * <p>It is inside the stream wrappers of the session handlers, which commit when the head is sent, so the commits are
 * known when the head gets here. No thread waits here, but those that a servlet's error is handled in: the send goes
 * on, on a thread of the handler's, when the last acknowledgement is in.
 *
 * <p>Threads: Jetty sends one thing at a time, from any thread; {@code cancelSend} may come at any moment.
 */
final class CoherentStream extends HttpStream.Wrapper {

    /** A send that waits for acknowledgements. All that it needs later is made before. */
    private final class Held extends Callback.Nested
            implements BiConsumer<@Nullable Settled, @Nullable Throwable>, Runnable {

        private final MetaData.Request request;
        private final MetaData.@Nullable Response response;
        private final boolean last;
        private final @Nullable ByteBuffer content;
        private final CompletableFuture<Settled> settled;

        /** To be restored, in milliseconds; 0 if there is none. */
        private final long idleTimeout;

        Held(
                MetaData.Request request,
                MetaData.@Nullable Response response,
                boolean last,
                @Nullable ByteBuffer content,
                Callback callback,
                CompletableFuture<Settled> settled) {
            super(callback);
            this.request = request;
            this.response = response;
            this.last = last;
            this.content = content;
            this.settled = settled;
            this.idleTimeout = Math.max(0, getIdleTimeout());
        }

        /**
         * Until the send is done, the time the acknowledgements take does not count as idle: Jetty takes a response
         * that was begun and writes nothing for one whose client does not read.
         */
        void bePatient() {
            if (idleTimeout > 0) {
                setIdleTimeout(idleTimeout + exchange.longestMillis());
            }
        }

        @Override
        public void succeeded() {
            if (idleTimeout > 0) {
                setIdleTimeout(idleTimeout);
            }
            super.succeeded();
        }

        /** All is acknowledged, or will not be. On a thread of the cluster. */
        @Override
        public void accept(@Nullable Settled outcome, @Nullable Throwable failure) {
            execute(this);
        }

        @Override
        public void run() {
            if (held.compareAndSet(this, null)) {
                try {
                    proceed(request, response, last, content, this, settled);
                } catch (Throwable e) { // Nobody else would ever end the response.
                    failed(e);
                }
            }
        }
    }

    /** The end of the send of a response's last part. */
    private final class Passing extends Callback.Nested {

        Passing(Callback callback) {
            super(callback);
        }

        @Override
        public void succeeded() {
            exchange.passed();
            super.succeeded();
        }

        @Override
        public void failed(Throwable cause) {
            exchange.passed();
            super.failed(cause);
        }
    }

    private final ReplicatedRequest exchange;
    private final Executor executor;
    private final AtomicReference<@Nullable Held> held = new AtomicReference<>();
    private volatile boolean refused;

    CoherentStream(HttpStream wrapped, ReplicatedRequest exchange, Executor executor) {
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
        CompletableFuture<Settled> settled = null;
        boolean isHeld = false;
        try {
            HttpFields head = response != null && isFinal(response.getStatus()) ? response.getHttpFields() : null;
            if (head != null || last) {
                settled = exchange.settle(head);
                // The error handlers of EE10 and EE11 write the end of the response twice, and the second time fails
                // unless the first is done (ErrorHandler.generateAcceptableResponse in Jetty 12.1.12). Threads of
                // servlets may wait.
                isHeld = !exchange.failedInServlet()
                        && !settled.isDone()
                        && hold(request, response, last, content, callback, settled);
            }
        } catch (Throwable e) {
            exchange.failed("making a response wait for its changes", e);
            settled = settled == null ? ReplicatedRequest.NOT_SENT : settled;
        }
        if (settled == null) {
            exchange.goesOn();
            super.send(request, response, last, content, callback);
        } else if (!isHeld) {
            proceed(request, response, last, content, callback, settled);
        }
    }

    /** @return {@code false} if the send has to go on at once, as there is no memory to hold it */
    private boolean hold(
            MetaData.Request request,
            MetaData.@Nullable Response response,
            boolean last,
            @Nullable ByteBuffer content,
            Callback callback,
            CompletableFuture<Settled> settled) {
        Held send = null;
        try {
            send = new Held(request, response, last, content, callback, settled);
            held.set(send);
            send.bePatient();
            CompletableFuture<Settled> unused = settled.whenComplete(send);
            return true;
        } catch (Throwable e) {
            exchange.failed("holding a response back until its changes are acknowledged", e);
            return send != null && !held.compareAndSet(send, null);
        }
    }

    @Override
    public void succeeded() {
        exchange.over();
        super.succeeded();
    }

    @Override
    public void failed(Throwable cause) {
        exchange.over();
        super.failed(cause);
    }

    @Override
    public Runnable cancelSend(Throwable cause, Callback callback) {
        Held cancelled = held.getAndSet(null);
        return cancelled == null
                ? super.cancelSend(cause, callback)
                : () -> Callback.combine(cancelled, callback).failed(cause);
    }

    /** Whatever fails in what is ours, the send goes on. Waits if it has not been held. */
    private void proceed(
            MetaData.Request request,
            MetaData.@Nullable Response response,
            boolean last,
            @Nullable ByteBuffer content,
            Callback callback,
            CompletableFuture<Settled> settled) {
        Settled outcome = exchange.outcome(settled);
        MetaData.Response head = response;
        try {
            if (response != null && isFinal(response.getStatus())) {
                List<HttpField> cookies = exchange.versionCookies();
                outcome = exchange.withFailures(outcome);
                head = outcome.refused()
                        ? refusal(response, outcome.header())
                        : completed(response, cookies, outcome.header());
                refused = outcome.refused();
                if (refused) {
                    // No web socket, nor tunnel: the connection stays one of requests.
                    exchange.removeAttribute(UPGRADE_CONNECTION_ATTRIBUTE);
                }
            }
            if (outcome.degraded()) {
                exchange.setAttribute(RequestCoherence.DEGRADED, true);
            }
        } catch (Throwable e) {
            exchange.failed("completing the head of a response", e);
        }
        pass(request, head, last || refused, refused ? null : content, callback);
    }

    private void pass(
            MetaData.Request request,
            MetaData.@Nullable Response response,
            boolean last,
            @Nullable ByteBuffer content,
            Callback callback) {
        if (last) {
            exchange.answered();
            Callback passing = passing(callback);
            exchange.passes();
            try {
                super.send(request, response, true, content, passing);
            } finally {
                exchange.passesNoMore();
            }
        } else {
            super.send(request, response, false, content, callback);
        }
    }

    private Callback passing(Callback callback) {
        try {
            return new Passing(callback);
        } catch (Throwable e) {
            exchange.failed("preparing the end of a response", e);
            return callback;
        }
    }

    /** The head with what is known of it only now. */
    private static MetaData.Response completed(MetaData.Response response, List<HttpField> cookies, String header) {
        if (header.isEmpty() && cookies.isEmpty()) {
            return response;
        }
        HttpFields.Mutable fields = HttpFields.build(response.getHttpFields());
        cookies.forEach(fields::add);
        if (!header.isEmpty()) {
            fields.put(header, "true");
        }
        return new MetaData.Response(
                response.getStatus(),
                response.getReason(),
                response.getHttpVersion(),
                fields,
                response.getContentLength(),
                response.getTrailersSupplier());
    }

    /** 503 in place of the response. It keeps the cookies: after a change of the id the old one is refused. */
    private static MetaData.Response refusal(MetaData.Response response, String header) {
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
        return new MetaData.Response(HttpStatus.SERVICE_UNAVAILABLE_503, null, response.getHttpVersion(), fields, 0);
    }

    /**
     * Acknowledgements arrive on threads of the cluster, which must not write to clients. The server's own threads may
     * all be waiting for just these sends, in blocking writes.
     */
    private void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (Throwable e) {
            runBeside(task); // The server stops.
        }
    }

    /**
     * The calling thread is the one that reads from a member, which must not wait for clients if there is any other.
     */
    private static void runBeside(Runnable task) {
        try {
            DaemonThreads.of("understudy-response", task).start();
        } catch (Throwable e) {
            task.run(); // The system gives no more threads.
        }
    }

    /**
     * An interim response (100, 103) promises nothing; a switch of protocols is final although its status is below 200.
     */
    private static boolean isFinal(int status) {
        return status >= HttpStatus.OK_200 || status == HttpStatus.SWITCHING_PROTOCOLS_101;
    }
}
