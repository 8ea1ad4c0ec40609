package io.understudy.junit;

import java.io.IOException;
import java.net.CookieManager;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A client as tests of applications have it: it keeps its cookies. Threads: one. */
final class Visitor {

    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private final FailoverServer server;

    Visitor(FailoverServer server) {
        this.server = server;
    }

    HttpResponse<String> visit(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(server.uri(path)).build(), BodyHandlers.ofString());
    }
}
