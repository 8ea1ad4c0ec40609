package io.understudy.demo.launcher.frontdoor;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The reverse proxy before the nodes: sticky by a cookie of its own, and going round nodes that are not ready.
 *
 * <p>When a request may go to a second node is {@link Visit}'s rule; to which, {@link Route}'s. A request that can't be
 * repeated is answered with 502 or 504 and the reason; with no node ready, 503 and {@code Retry-After}.
 *
 * <p>Threads: Jetty's, none of which ever waits here.
 */
public final class FrontDoor extends ProxyHandler.Reverse {

    /** How long a node may take to accept a connection, in milliseconds. */
    private static final long CONNECT_MILLIS = 1_000;

    /** How long a node may be silent during a request, in milliseconds; longer than {@code ackTimeout} lets it wait. */
    private static final long SILENCE_MILLIS = 30_000;

    /** As many requests at once as a load test brings. */
    private static final int MAX_CONNECTIONS = 2_048;

    private static final int MAX_QUEUED = 16_384;

    private static final Logger LOG = System.getLogger(FrontDoor.class.getName());

    private final List<? extends Backend> nodes;
    private final AtomicInteger turn = new AtomicInteger();

    public FrontDoor(List<? extends Backend> nodes) {
        super(FrontDoor::target);
        this.nodes = List.copyOf(nodes);
        setViaHost("understudy-demo");
    }

    private static HttpURI target(Request client) {
        return HttpURI.build(client.getHttpURI())
                .scheme("http")
                .authority("127.0.0.1", Visit.of(client).node().httpPort());
    }

    @Override
    protected void configureHttpClient(HttpClient client) {
        super.configureHttpClient(client);
        client.setConnectTimeout(CONNECT_MILLIS);
        client.setIdleTimeout(SILENCE_MILLIS);
        client.setMaxConnectionsPerDestination(MAX_CONNECTIONS);
        client.setMaxRequestsQueuedPerDestination(MAX_QUEUED);
        // The browser's own goes through.
        client.setUserAgentField(null);
    }

    @Override
    public boolean handle(Request client, Response response, Callback callback) {
        Visit visit = Visit.of(client);
        Backend node = Route.choose(nodes, cookie(client), visit.tried(), turn.getAndIncrement());
        if (node == null) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
            answer(response, callback, HttpStatus.SERVICE_UNAVAILABLE_503, "No node is ready, try again in a second.");
            return true;
        }
        visit.begin(node);
        try {
            return super.handle(client, response, callback);
        } catch (IllegalArgumentException e) {
            visit.end();
            answer(response, callback, HttpStatus.BAD_REQUEST_400, "The address is malformed: " + e.getMessage());
            return true;
        }
    }

    @Override
    protected org.eclipse.jetty.client.Request.Content newProxyToServerRequestContent(
            Request client, Response response, org.eclipse.jetty.client.Request outgoing) {
        OnceContent content = new OnceContent(client);
        Visit.of(client).content(content);
        return content;
    }

    @Override
    protected void sendProxyToServerRequest(
            Request client, org.eclipse.jetty.client.Request outgoing, Response response, Callback callback) {
        Visit.of(client).outgoing(outgoing);
        super.sendProxyToServerRequest(client, outgoing, response, callback);
    }

    @Override
    protected org.eclipse.jetty.client.Response.CompleteListener newServerToProxyResponseListener(
            Request client, org.eclipse.jetty.client.Request outgoing, Response response, Callback callback) {
        return new Answer(client, outgoing, response, callback);
    }

    /** Copies a node's response, and tells the client which node it came from. */
    private final class Answer extends ProxyResponseListener {

        private final Request client;
        private final Response response;

        Answer(Request client, org.eclipse.jetty.client.Request outgoing, Response response, Callback callback) {
            super(client, outgoing, response, callback);
            this.client = client;
            this.response = response;
        }

        @Override
        public void onBegin(org.eclipse.jetty.client.Response fromNode) {
            Visit.of(client).answered();
            super.onBegin(fromNode);
        }

        @Override
        public void onHeaders(org.eclipse.jetty.client.Response fromNode) {
            if (fromNode.getStatus() == HttpStatus.SERVICE_UNAVAILABLE_503 && mayTryAnother(Visit.of(client))) {
                Visit.of(client).turnAway();
                // How it goes on is for onServerToProxyResponseFailure, as with every attempt that failed.
                var unused = fromNode.abort(new IOException("the node is not ready"));
                return;
            }
            super.onHeaders(fromNode);
            String name = Visit.of(client).node().name();
            if (!name.equals(cookie(client))) {
                // After the node's own headers were copied: those replace what is there.
                Response.addCookie(
                        response,
                        HttpCookie.build(Route.COOKIE, name)
                                .path("/")
                                .httpOnly(true)
                                .sameSite(HttpCookie.SameSite.LAX)
                                .build());
            }
        }

        @Override
        public void onComplete(Result result) {
            Visit.of(client).end();
            super.onComplete(result);
        }
    }

    /** The nodes answer with relative redirects, or by the client's own Host; an address of a node itself never leaves. */
    @Override
    protected @Nullable HttpField filterServerToProxyResponseField(HttpField field) {
        String value = field.getValue();
        if (field.getHeader() != HttpHeader.LOCATION || value == null) {
            return field;
        }
        for (Backend node : nodes) {
            String own = "http://127.0.0.1:" + node.httpPort();
            if (value.equals(own) || value.startsWith(own + "/")) {
                String path = value.substring(own.length());
                return new HttpField(HttpHeader.LOCATION, path.isEmpty() ? "/" : path);
            }
        }
        return field;
    }

    @Override
    protected void onServerToProxyResponseFailure(
            Request client,
            org.eclipse.jetty.client.Request outgoing,
            org.eclipse.jetty.client.Response fromNode,
            Response response,
            Callback callback,
            Throwable failure) {
        Visit visit = Visit.of(client);
        String node = visit.node().name();
        LOG.log(
                Level.DEBUG,
                () -> "front door - " + client.getMethod() + " "
                        + client.getHttpURI().getPath() + " failed on " + node + ": "
                        + failure.getClass().getSimpleName());
        boolean unanswered =
                visit.turnedAway() || ((fromNode == null || fromNode.getStatus() == 0) && !response.isCommitted());
        if (unanswered && visit.mayMove()) {
            response.reset();
            handle(client, response, callback);
        } else if (response.isCommitted()) {
            // The client sees a response that broke off, as it did.
            callback.failed(failure);
        } else {
            response.reset();
            boolean timeout = failure instanceof TimeoutException;
            answer(
                    response,
                    callback,
                    timeout ? HttpStatus.GATEWAY_TIMEOUT_504 : HttpStatus.BAD_GATEWAY_502,
                    node + (timeout ? " did not answer in time" : " broke off before it answered") + ". Whether this "
                            + client.getMethod() + " took effect is unknown; ask, and repeat it if it did not.");
        }
    }

    /** A node that stopped being ready a moment ago, before it was asked again, says 503 itself: another one may know. */
    private boolean mayTryAnother(Visit visit) {
        boolean other = nodes.stream()
                .anyMatch(node ->
                        node.ready() && node != visit.node() && !visit.tried().contains(node));
        return other && visit.mayMove();
    }

    private static @Nullable String cookie(Request client) {
        for (HttpCookie cookie : Request.getCookies(client)) {
            if (cookie.getName().equals(Route.COOKIE)) {
                return cookie.getValue();
            }
        }
        return null;
    }

    private static void answer(Response response, Callback callback, int status, String text) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
        Content.Sink.write(response, true, text + "\n", callback);
    }
}
