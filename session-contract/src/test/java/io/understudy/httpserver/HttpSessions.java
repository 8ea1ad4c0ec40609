package io.understudy.httpserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.understudy.Understudy;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.adapter.BlockingSessions;
import io.understudy.session.adapter.SessionListener;
import java.io.IOException;

/** One application with replicated sessions. Give the server a pool of threads: requests wait for other members. */
public final class HttpSessions implements HttpHandler, AutoCloseable {

    /** What the application does with a request. */
    public interface Page {
        void serve(WebRequest request) throws Exception;
    }

    private final ReplicatedSessions replicated;
    private final BlockingSessions sessions;
    private final Page page;

    public HttpSessions(Understudy node, String name, ClassLoader loader, Page page, SessionListener listener) {
        this.replicated = node.join(name, () -> loader);
        this.sessions = new BlockingSessions(replicated, loader, listener);
        this.page = page;
    }

    @Override
    public void handle(HttpExchange http) throws IOException {
        try (http;
                WebRequest request = new WebRequest(http, sessions)) {
            request.send(request.sessions().admit(request.requestedId()) ? serve(request) : 503);
        }
    }

    /** @return the status */
    private int serve(WebRequest request) {
        try {
            return request.sessions().call(() -> {
                page.serve(request);
                return 200;
            });
        } catch (Exception | Error e) {
            replicated.survived("serving a request, which gets status 500", e);
            return 500;
        }
    }

    /** The node goes on, perhaps with other applications. */
    @Override
    public void close() {
        sessions.close();
    }
}
