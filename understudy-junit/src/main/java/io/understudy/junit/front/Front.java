package io.understudy.junit.front;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.understudy.doctor.Likeness;
import io.understudy.junit.servers.TomcatServer;
import io.understudy.junit.sites.Site;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The address of one run. It forwards each request to the server whose turn it is, and the response as it comes. When the
 * client has all of the response, it notes the response and the session, before the next request begins.
 *
 * <p>Threads: one for each request.
 */
public final class Front implements AutoCloseable {

    static {
        // Without it a response in two packets waits for the client's delayed acknowledgement, 40 ms on Linux.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int BAD_GATEWAY = 502;
    private static final Set<Integer> WITHOUT_BODY = Set.of(204, 205, 304);
    private static final long UNKNOWN = -1;

    /** What belongs to a connection, and what the client and the server set by themselves. */
    private static final Set<String> NOT_FORWARDED = Set.of(
            "connection",
            "content-length",
            "date",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final int PIECE = 8192;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "understudy-junit-request");
        thread.setDaemon(true);
        return thread;
    });
    private final RunRecord record;
    private final OpenRequests open = new OpenRequests();
    private volatile @Nullable Site site;

    /** Has a port, but does not answer before {@link #open}. */
    public Front(RunRecord record) {
        this.record = record;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("no port of the loopback interface for the test's requests", e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private String address() {
        return "127.0.0.1:" + port();
    }

    /** Forwards requests to the servers of a site from now on. */
    public void open(Site behind) {
        site = behind;
        server.start();
    }

    /** Notes what came of responses that are still under way. */
    public void finish() throws InterruptedException {
        for (OpenRequest each : open.rest()) {
            record.add(each.exchange(null, address()));
        }
    }

    /** An exchange that is not closed after a failure: the server breaks the connection, so the client sees no end. */
    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        try {
            Site behind = site;
            if (behind == null) {
                throw new IllegalStateException("the run is over: expected requests only while the test method runs");
            }
            String sent = SessionCookie.id(behind.sessionCookie(), cookies(exchange), List.of());
            OpenRequest request = open.begin(
                    behind,
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    sent);
            try {
                forward(exchange, body, request);
            } finally {
                open.ended(request, false);
                note(behind, request);
            }
        } catch (IOException | RuntimeException e) {
            fail(exchange, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(exchange, e);
        }
        exchange.close();
    }

    private static List<String> cookies(HttpExchange exchange) {
        return exchange.getRequestHeaders().getOrDefault("Cookie", List.of());
    }

    private void forward(HttpExchange exchange, byte[] body, OpenRequest request)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                CLIENT.send(request(exchange, request, body), BodyHandlers.ofInputStream());
        try (InputStream content = response.body()) {
            HttpHeaders headers = response.headers();
            request.answered(
                    response.statusCode(),
                    headers,
                    SessionCookie.id(
                            request.node().sessionCookie(), cookies(exchange), headers.allValues("set-cookie")));
            headers.map().forEach((name, values) -> {
                if (forwarded(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            long length = headers.firstValueAsLong("content-length").orElse(UNKNOWN);
            if (length == 0 || WITHOUT_BODY.contains(response.statusCode()) || isHead(exchange)) {
                open.ended(request, true);
                exchange.sendResponseHeaders(response.statusCode(), -1);
            } else {
                exchange.sendResponseHeaders(response.statusCode(), Math.max(0, length));
                copy(content, exchange.getResponseBody(), length, request);
            }
        }
    }

    private static boolean isHead(HttpExchange exchange) {
        return exchange.getRequestMethod().equals("HEAD");
    }

    /** Piece by piece, as they come. The response is over before the client can know: its next request may come at once. */
    private void copy(InputStream content, OutputStream client, long length, OpenRequest request) throws IOException {
        if (length == UNKNOWN) {
            client.flush(); // The headers.
        }
        byte[] piece = new byte[PIECE];
        long copied = 0;
        for (int count = content.read(piece); count >= 0; count = content.read(piece)) {
            request.add(piece, count);
            copied += count;
            if (copied == length) {
                open.ended(request, true);
            }
            client.write(piece, 0, count);
            client.flush();
        }
        open.ended(request, true);
        client.close();
    }

    /** Notes a request whose response is over. */
    private void note(Site behind, OpenRequest request) throws InterruptedException {
        try {
            boolean returned = request.node().awaitReturned(request.token());
            String session = request.session();
            boolean known = returned && (session == null || open.alone(request, session));
            Map<String, Likeness> attributes = null;
            if (known) {
                attributes = session == null ? Map.of() : behind.session(request.node(), session);
            }
            record.add(request.exchange(attributes, address()));
        } finally {
            open.noted(request);
        }
    }

    private static HttpRequest request(HttpExchange exchange, OpenRequest open, byte[] body) {
        BodyPublisher publisher = body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + open.node().port() + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), publisher);
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (forwarded(name)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        request.header(TomcatServer.REQUEST_NUMBER, open.token());
        return request.build();
    }

    private static boolean forwarded(String header) {
        return !header.startsWith(":") && !NOT_FORWARDED.contains(header.toLowerCase(Locale.ROOT));
    }

    /** @throws IOException if a part of a response is on its way already */
    private static void fail(HttpExchange exchange, Exception failure) throws IOException {
        if (exchange.getResponseCode() >= 0) {
            throw new IOException("the response broke", failure);
        }
        byte[] text = ("the request could not be forwarded to a node of the test: " + failure)
                .getBytes(StandardCharsets.UTF_8);
        boolean empty = isHead(exchange);
        exchange.sendResponseHeaders(BAD_GATEWAY, empty ? -1 : text.length);
        if (!empty) {
            exchange.getResponseBody().write(text);
        }
    }

    @Override
    public void close() {
        site = null;
        server.stop(0);
        threads.shutdownNow(); // Responses without an end.
    }
}
