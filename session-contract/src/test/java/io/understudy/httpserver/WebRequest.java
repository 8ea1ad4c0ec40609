package io.understudy.httpserver;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The container's part of a request, whose response waits in memory. It knows nothing of replication. */
public final class WebRequest {

    private final HttpExchange http;
    private final RequestSessions sessions;
    private final Map<String, Object> attributes = new HashMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    WebRequest(HttpExchange http, HttpSessions container) {
        this.http = http;
        this.sessions = new RequestSessions(this, container);
    }

    public HttpExchange http() {
        return http;
    }

    public RequestSessions sessions() {
        return sessions;
    }

    public Map<String, Object> attributes() {
        return attributes;
    }

    public ByteArrayOutputStream body() {
        return body;
    }

    /** Inside the application, without parameters. */
    public String path() {
        String path = http.getRequestURI().getPath();
        return path.substring(http.getHttpContext().getPath().length()).replaceFirst(";.*", "");
    }

    /** The values of all cookies with such a name. */
    List<String> cookies(Predicate<String> name) {
        return http.getRequestHeaders().getOrDefault("Cookie", List.of()).stream()
                .flatMap(line -> Stream.of(line.split("; *")))
                .map(cookie -> cookie.split("=", 2))
                .filter(cookie -> cookie.length == 2 && name.test(cookie[0]))
                .map(cookie -> cookie[1])
                .toList();
    }

    void addCookie(String name, String value) {
        http.getResponseHeaders().add("Set-Cookie", name + "=" + value + "; Path=/; HttpOnly");
    }

    void send(int status) throws IOException {
        http.sendResponseHeaders(status, body.size() == 0 ? -1 : body.size());
        body.writeTo(http.getResponseBody());
        http.getResponseBody().close();
    }

    void refuse() throws IOException {
        body.reset();
        http.getResponseHeaders().set("Retry-After", "2");
        send(503);
    }
}
