package io.understudy.testkit;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A client that keeps its cookies, whichever server of a cluster it asks. A response is there when all of it is, as
 * for a browser that goes on at once.
 *
 * <p>Threads: any.
 */
public final class Browser {

    /** Where a server's pages are. */
    public interface Server {
        URI uri(String pathAndQuery);
    }

    private static final String SESSION = "JSESSIONID";
    private static final Duration TIMEOUT = Await.LIMIT;
    private static final HttpClient HTTP1 = client(HttpClient.Version.HTTP_1_1);
    private static final HttpClient HTTP2 = client(HttpClient.Version.HTTP_2);

    private final Map<String, String> cookies = new TreeMap<>();
    private final boolean keeping;
    private final HttpClient http;

    /** Over HTTP/1.1. */
    public Browser() {
        this(true, HTTP1);
    }

    private Browser(boolean keeping, HttpClient http) {
        this.keeping = keeping;
        this.http = http;
    }

    private static HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder().version(version).build();
    }

    /** One that forgets its cookies at once. */
    public static Browser forgetful() {
        return new Browser(false, HTTP1);
    }

    /** One that has a session's cookie from somewhere. */
    public static Browser bearing(String sessionId) {
        Browser browser = new Browser();
        browser.cookies.put(SESSION, sessionId);
        return browser;
    }

    /** Another one with the same cookies. */
    public Browser twin() {
        return twin(http);
    }

    /** Another one with the same cookies, over HTTP/2 without TLS: its connections begin with an upgrade. */
    public Browser overHttp2() {
        return twin(HTTP2);
    }

    private Browser twin(HttpClient over) {
        Browser twin = new Browser(keeping, over);
        synchronized (cookies) {
            twin.cookies.putAll(cookies);
        }
        return twin;
    }

    /** The value of the session's cookie. */
    public @Nullable String sessionId() {
        return cookie(SESSION);
    }

    public @Nullable String cookie(String name) {
        synchronized (cookies) {
            return cookies.get(name);
        }
    }

    /** Sends the cookie no more, until a server sets it again. */
    public void forget(String name) {
        synchronized (cookies) {
            cookies.remove(name);
        }
    }

    /** The body of the page, which must be answered with 200. */
    public String get(Server server, String path) {
        HttpResponse<String> response = send(server, path);
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " was answered with " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** The answer, whatever it is. */
    public HttpResponse<String> send(Server server, String path) {
        return start(server, path).join();
    }

    /** Completes when the whole response is there. */
    public CompletableFuture<HttpResponse<String>> start(Server server, String path) {
        return start("GET", server.uri(path), BodyPublishers.noBody());
    }

    public CompletableFuture<HttpResponse<String>> startHead(Server server, String path) {
        return start("HEAD", server.uri(path), BodyPublishers.noBody());
    }

    /** Sends an empty form. The client sends none a second time if its connection breaks. */
    public CompletableFuture<HttpResponse<String>> startPost(Server server, String path) {
        return start("POST", server.uri(path), BodyPublishers.noBody());
    }

    /** Sends a form, as {@code name=value&name=value}. */
    public HttpResponse<String> post(Server server, String path, String form) {
        return start("POST", server.uri(path), BodyPublishers.ofString(form)).join();
    }

    /** Sends a document. */
    public HttpResponse<String> postJson(Server server, String path, String json) {
        return start("POST", server.uri(path), BodyPublishers.ofString(json), "application/json")
                .join();
    }

    /** Opens a web socket, whose handshake bears the cookies; {@code messages} gets the texts that come, each whole. */
    public WebSocket socket(URI uri, Consumer<String> messages) {
        WebSocket.Builder handshake = HTTP1.newWebSocketBuilder().connectTimeout(TIMEOUT);
        String sent = sent();
        if (!sent.isEmpty()) {
            handshake.header("Cookie", sent);
        }
        StringBuilder text = new StringBuilder();
        return handshake
                .buildAsync(uri, new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
                        text.append(part);
                        if (last) {
                            messages.accept(text.toString());
                            text.setLength(0);
                        }
                        socket.request(1);
                        return null;
                    }
                })
                .join();
    }

    private String sent() {
        synchronized (cookies) {
            return cookies.entrySet().stream()
                    .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                    .collect(Collectors.joining("; "));
        }
    }

    private CompletableFuture<HttpResponse<String>> start(String method, URI uri, BodyPublisher body) {
        return start(method, uri, body, "application/x-www-form-urlencoded");
    }

    private CompletableFuture<HttpResponse<String>> start(
            String method, URI uri, BodyPublisher body, String typeOfPost) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(TIMEOUT).method(method, body);
        if (method.equals("POST")) {
            request.header("Content-Type", typeOfPost);
        }
        String sent = sent();
        if (!sent.isEmpty()) {
            request.header("Cookie", sent);
        }
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> {
                    if (keeping) {
                        keep(response.headers().allValues("Set-Cookie"));
                    }
                    return response;
                });
    }

    private void keep(List<String> setCookies) {
        synchronized (cookies) {
            for (String setCookie : setCookies) {
                String[] pair = setCookie.split(";", 2)[0].split("=", 2);
                cookies.put(pair[0], pair[1]);
            }
        }
    }

    /** Where a response sends the client to, without host and session id; "none" if nowhere. */
    public static String location(HttpResponse<String> response) {
        return response.headers()
                .firstValue("Location")
                .orElse("none")
                .replaceFirst("http://[^/]*", "")
                .replaceFirst(";jsessionid=[^?]*", "");
    }
}
