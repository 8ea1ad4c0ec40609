package io.understudy.testkit;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A client that keeps its cookies, whichever server of a cluster it asks. A response is there when all of it is, as for a
 * browser that goes on at once.
 *
 * <p>Threads: any.
 */
public final class Browser {

    /** Where a server's pages are. */
    public interface Server {
        URI uri(String pathAndQuery);
    }

    private static final String SESSION = "JSESSIONID";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Map<String, String> cookies = new TreeMap<>();
    private final boolean keeping;

    public Browser() {
        this(true);
    }

    private Browser(boolean keeping) {
        this.keeping = keeping;
    }

    /** One that forgets its cookies at once. */
    public static Browser forgetful() {
        return new Browser(false);
    }

    /** One that has a session's cookie from somewhere. */
    public static Browser bearing(String sessionId) {
        Browser browser = new Browser();
        browser.cookies.put(SESSION, sessionId);
        return browser;
    }

    /** Another one with the same cookies. */
    public Browser twin() {
        Browser twin = new Browser(keeping);
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

    /** Sends a form, as {@code name=value&name=value}. */
    public HttpResponse<String> post(Server server, String path, String form) {
        return start("POST", server.uri(path), BodyPublishers.ofString(form)).join();
    }

    private CompletableFuture<HttpResponse<String>> start(String method, URI uri, BodyPublisher body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(TIMEOUT).method(method, body);
        if (method.equals("POST")) {
            request.header("Content-Type", "application/x-www-form-urlencoded");
        }
        String sent;
        synchronized (cookies) {
            sent = cookies.entrySet().stream()
                    .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                    .collect(Collectors.joining("; "));
        }
        if (!sent.isEmpty()) {
            request.header("Cookie", sent);
        }
        return HTTP.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
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
