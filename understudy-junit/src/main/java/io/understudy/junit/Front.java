package io.understudy.junit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
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
import org.jspecify.annotations.Nullable;

/**
 * The address of one run. It forwards each request to the server whose turn it is, and notes the response and the session
 * before the client gets the response.
 *
 * <p>Threads: one of its own, so requests are forwarded one at a time.
 */
final class Front implements AutoCloseable {

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

    private final HttpServer server;
    private final RunRecord record;
    private volatile @Nullable Site site;
    private int requests;

    /** Has a port, but does not answer before {@link #open}. */
    Front(RunRecord record) {
        this.record = record;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("no port of the loopback interface for the test's requests", e);
        }
        server.createContext("/", this::handle);
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Forwards requests to the servers of a site from now on. */
    void open(Site behind) {
        site = behind;
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            HttpResponse<byte[]> response;
            try {
                response = forward(exchange, body);
            } catch (IOException | RuntimeException e) {
                fail(exchange, e);
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail(exchange, e);
                return;
            }
            answer(exchange, response);
        }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        Site behind = site;
        if (behind == null) {
            throw new IllegalStateException("the run is over: expected requests only while the test method runs");
        }
        requests++;
        TomcatServer node = behind.next(requests);
        HttpResponse<byte[]> response = CLIENT.send(request(exchange, node.port(), body), BodyHandlers.ofByteArray());
        node.awaitIdle();
        List<String> sent = exchange.getRequestHeaders().getOrDefault("Cookie", List.of());
        String id =
                SessionCookie.id(node.sessionCookie(), sent, response.headers().allValues("set-cookie"));
        Map<String, Object> attributes = id == null ? Map.of() : behind.session(node, id);
        record.add(new Exchange(
                requests,
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                node.name(),
                Answer.of(response.statusCode(), response.headers(), response.body(), "127.0.0.1:" + port()),
                Exchange.likenesses(attributes)));
        return response;
    }

    private static HttpRequest request(HttpExchange exchange, int port, byte[] body) {
        BodyPublisher publisher = body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), publisher);
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (forwarded(name)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private static boolean forwarded(String header) {
        return !header.startsWith(":") && !NOT_FORWARDED.contains(header.toLowerCase(Locale.ROOT));
    }

    private static void answer(HttpExchange exchange, HttpResponse<byte[]> response) throws IOException {
        response.headers().map().forEach((name, values) -> {
            if (forwarded(name)) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        send(exchange, response.statusCode(), response.body());
    }

    private static void fail(HttpExchange exchange, Exception failure) throws IOException {
        String text = "the request could not be forwarded to a node of the test: " + failure;
        send(exchange, BAD_GATEWAY, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, empty ? -1 : body.length);
        if (!empty) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        site = null;
        server.stop(0);
    }
}
