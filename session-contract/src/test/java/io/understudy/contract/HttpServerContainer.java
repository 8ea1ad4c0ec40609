package io.understudy.contract;

import com.sun.net.httpserver.HttpServer;
import io.understudy.Understudy;
import io.understudy.httpserver.HttpSessions;
import io.understudy.httpserver.WebRequest;
import io.understudy.session.adapter.BlockingSession;
import io.understudy.session.adapter.SessionListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's HTTP server with the smallest adapter. It has no sessions of its own, and neither dispatches nor waits. */
final class HttpServerContainer implements ContractContainer {

    static {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // Else each response waits for the client's system.
    }

    private record Running(HttpServer server, HttpSessions sessions, ExecutorService threads) implements Node {

        @Override
        public int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
            threads.shutdownNow();
            sessions.close();
        }
    }

    private static final class Told implements SessionListener {

        private final Listeners listeners = new Listeners();

        private static SessionView view(BlockingSession session) {
            return new SessionView(session, ServletView.CONTEXT);
        }

        @Override
        public void created(BlockingSession session) {
            listeners.sessionCreated(new HttpSessionEvent(view(session)));
        }

        @Override
        public void renamed(BlockingSession session, String oldId) {
            listeners.sessionIdChanged(new HttpSessionEvent(view(session)), oldId);
        }

        @Override
        public void destroyed(BlockingSession session) {
            listeners.sessionDestroyed(new HttpSessionEvent(view(session)));
            view(session).unbind();
        }
    }

    @Override
    public Node start(Topology topology, Application application, Optional<Understudy> node) throws Exception {
        HttpServlet servlet = application.servlet();
        HttpSessions sessions = new HttpSessions(
                node.orElseThrow(),
                Application.PATH,
                HttpServerContainer.class.getClassLoader(),
                request -> serve(servlet, request),
                new Told());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext(Application.PATH, sessions);
        server.start();
        return new Running(server, sessions, threads);
    }

    private static void serve(HttpServlet servlet, WebRequest request) throws Exception {
        ServletView view = new ServletView(request);
        try (PrintWriter writer = view.writer()) {
            servlet.service(view.request(), view.response(writer));
        }
    }
}
