package io.understudy.jetty;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client with one cookie, the session's, that goes to whichever node it is told to. */
final class Browser {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private volatile @Nullable String cookie;

    /** A browser that already has this cookie, as {@code name=value}. */
    static Browser with(@Nullable String cookie) {
        Browser browser = new Browser();
        browser.cookie = cookie;
        return browser;
    }

    @Nullable
    String cookie() {
        return cookie;
    }

    /** The body of a 200 response; anything else fails the test. */
    String get(JettyNode node, String path) {
        HttpResponse<String> response = send(node, path);
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    HttpResponse<String> send(JettyNode node, String path) {
        return start(node, path).join();
    }

    HttpResponse<String> post(JettyNode node, String path, String form) {
        return start(HttpRequest.newBuilder(node.uri(path))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form)))
                .join();
    }

    CompletableFuture<HttpResponse<String>> start(JettyNode node, String path) {
        return start(HttpRequest.newBuilder(node.uri(path)));
    }

    private CompletableFuture<HttpResponse<String>> start(HttpRequest.Builder request) {
        request.timeout(Duration.ofSeconds(20));
        String sent = cookie;
        if (sent != null) {
            request.header("Cookie", sent);
        }
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(this::keepCookie);
    }

    /** Where it sends the client to, without host and session id; "none" if nowhere. */
    static String location(HttpResponse<String> response) {
        return response.headers()
                .firstValue("Location")
                .orElse("none")
                .replaceFirst("http://[^/]*", "")
                .replaceFirst(";jsessionid=[^?]*", "");
    }

    private HttpResponse<String> keepCookie(HttpResponse<String> response) {
        response.headers()
                .firstValue("Set-Cookie")
                .ifPresent(header -> cookie = header.substring(0, (header + ";").indexOf(';')));
        return response;
    }
}
