package io.understudy.httpserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.understudy.Understudy;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** One application with replicated sessions. Give the server a pool of threads: requests wait for other members. */
public final class HttpSessions implements HttpHandler, AutoCloseable {

    /** What the application does with a request. */
    public interface Page {
        void serve(WebRequest request) throws Exception;
    }

    /** What the application wants to know about sessions. */
    public interface Listener {
        void created(WebSession session);

        void renamed(WebSession session, String oldId);

        void destroyed(WebSession session);
    }

    final ReplicatedSessions sessions;
    final Page page;
    final Listener listener;
    private final ClassLoader loader;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    public HttpSessions(Understudy node, String name, ClassLoader loader, Page page, Listener listener) {
        this.page = page;
        this.listener = listener;
        this.loader = loader;
        this.sessions = node.join(name, () -> loader);
        sessions.bindRequests(RequestSessions::ticket);
        var unused = timer.scheduleWithFixedDelay(this::expire, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public void handle(HttpExchange http) throws IOException {
        WebRequest request = new WebRequest(http, this);
        try (http) {
            if (request.sessions().admit() && answers(request)) {
                return;
            }
            request.refuse();
        } finally {
            request.sessions().end();
        }
    }

    /** @return whether the request has its response */
    private boolean answers(WebRequest request) throws IOException {
        int status = 200;
        RequestSessions.CURRENT.set(request.sessions());
        try {
            page.serve(request);
        } catch (Exception | Error e) {
            sessions.survived("serving a request, which gets status 500", e);
            status = 500;
        } finally {
            RequestSessions.CURRENT.remove();
        }
        boolean mayLeave = request.sessions().settle();
        if (mayLeave) {
            request.send(status);
        }
        return mayLeave;
    }

    /** The only object of this session on this node. */
    WebSession objectOf(LiveSession live) {
        synchronized (live) {
            if (live.objects().container() instanceof WebSession made) {
                return made;
            }
            WebSession made = new WebSession(this, live);
            live.objects().container(made);
            return made;
        }
    }

    private void expire() {
        try {
            sessions.expire(this::expire);
        } catch (RuntimeException | Error e) {
            sessions.survived("ending idle sessions", e); // A timer that throws would not run again.
        }
    }

    private void expire(LiveSession live) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            objectOf(live).expire();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() {
        timer.shutdown();
        sessions.close();
    }
}
