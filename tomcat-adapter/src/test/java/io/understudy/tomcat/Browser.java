package io.understudy.tomcat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client with one session cookie, which may ask any node. */
final class Browser {

    private static final String COOKIE = "JSESSIONID=";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private volatile String sessionId;

    /** The body of the page, which must be answered with 200. */
    String read(TomcatNode node, String path) {
        HttpResponse<String> response = get(node, path);
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " was answered with " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    HttpResponse<String> get(TomcatNode node, String path) {
        return get(node.address() + path);
    }

    HttpResponse<String> get(String url) {
        try {
            return send("GET", url).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(url, e);
        }
    }

    /** Completes when the whole response is there. */
    CompletableFuture<HttpResponse<String>> begin(TomcatNode node, String path) {
        return send("GET", node.address() + path);
    }

    CompletableFuture<HttpResponse<String>> beginHead(TomcatNode node, String path) {
        return send("HEAD", node.address() + path);
    }

    private CompletableFuture<HttpResponse<String>> send(String method, String url) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(TIMEOUT);
        if (sessionId != null) {
            request.header("Cookie", COOKIE + sessionId);
        }
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> {
                    response.headers().allValues("Set-Cookie").forEach(this::keep);
                    return response;
                });
    }

    private void keep(String setCookie) {
        if (setCookie.startsWith(COOKIE)) {
            sessionId = setCookie.substring(COOKIE.length()).split(";", 2)[0];
        }
    }

    String sessionId() {
        return sessionId;
    }

    /** Another client with the same cookie. */
    static Browser bearing(String sessionId) {
        Browser browser = new Browser();
        browser.sessionId = sessionId;
        return browser;
    }
}
