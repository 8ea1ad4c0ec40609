package io.understudy.httpserver;

import com.sun.net.httpserver.HttpExchange;
import io.understudy.session.VersionCookie;
import io.understudy.session.adapter.BlockingRequest;
import io.understudy.session.adapter.BlockingSession;
import io.understudy.session.adapter.BlockingSessions;
import io.understudy.session.adapter.ContainerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A request, whose response waits in memory. */
public final class WebRequest implements ContainerRequest, AutoCloseable {

    private static final String COOKIE = "JSESSIONID";

    private final HttpExchange http;
    private final BlockingRequest sessions;
    private final Map<String, Object> attributes = new HashMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    WebRequest(HttpExchange http, BlockingSessions application) {
        this.http = http;
        this.sessions = application.request(this);
    }

    public HttpExchange http() {
        return http;
    }

    public ByteArrayOutputStream body() {
        return body;
    }

    public BlockingRequest sessions() {
        return sessions;
    }

    @Override
    public String path() {
        String path = http.getRequestURI().getPath();
        return path.substring(http.getHttpContext().getPath().length()).replaceFirst(";.*", "");
    }

    @Override
    public List<String> cookies(Predicate<String> name) {
        return http.getRequestHeaders().getOrDefault("Cookie", List.of()).stream()
                .flatMap(line -> Stream.of(line.split("; *")))
                .map(cookie -> cookie.split("=", 2))
                .filter(cookie -> cookie.length == 2 && name.test(cookie[0]))
                .map(cookie -> cookie[1])
                .toList();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return attributes.get(name);
    }

    @Override
    public void attribute(String name, Object value) {
        attributes.put(name, value);
    }

    @Override
    public void header(String name, String value) {
        http.getResponseHeaders().set(name, value);
    }

    /** The session id that the client sent. */
    public @Nullable String requestedId() {
        return cookies(COOKIE::equals).stream().findFirst().orElse(null);
    }

    public @Nullable BlockingSession session(boolean create) {
        BlockingSession session = sessions.session();
        return session == null && create ? sessions.create(1800) : session;
    }

    /** Sends the response, once its changes are where they belong. */
    void send(int served) throws IOException {
        int status = sessions.settle() ? served : 503;
        if (status == 503) {
            body.reset();
            header("Retry-After", "2");
        }
        VersionCookie version = sessions.versionCookie();
        if (version != null) {
            addCookie(version.name(), version.value() + "; Max-Age=" + VersionCookie.MAX_AGE);
        }
        String id = sessions.newId();
        if (id != null) {
            addCookie(COOKIE, id);
        }
        http.sendResponseHeaders(status, body.size() == 0 ? -1 : body.size());
        body.writeTo(http.getResponseBody());
        http.getResponseBody().close();
    }

    private void addCookie(String name, String value) {
        http.getResponseHeaders().add("Set-Cookie", name + "=" + value + "; Path=/; HttpOnly");
    }

    @Override
    public void close() {
        sessions.close();
    }
}
