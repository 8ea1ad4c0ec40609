package io.understudy.jetty;

import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Browser;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.EventListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A Jetty server with a node of its own, as one process of a cluster would be; any number of them in this JVM. */
final class JettyNode implements AutoCloseable, Browser.Server {

    /** What a path of the test application does. */
    interface Action {
        void run(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    final Server server = new Server();
    final UnderstudySessionFactory factory;
    final Understudy understudy;
    private final ServerConnector connector = new ServerConnector(server, 1, 1);

    private JettyNode(Understudy understudy) {
        this.understudy = understudy;
        factory = new UnderstudySessionFactory(understudy);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.addBean(factory);
    }

    /** Not yet started: for tests that configure more. */
    static JettyNode of(UnderstudyConfig config, Handler handler) {
        return of(NodeStart.start(config), handler);
    }

    /** The same on a node that runs; the end of this one ends it. */
    static JettyNode of(Understudy understudy, Handler handler) {
        JettyNode node = new JettyNode(understudy);
        node.server.setHandler(handler);
        return node;
    }

    JettyNode start() {
        try {
            server.start();
            return this;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public URI uri(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + connector.getLocalPort() + pathAndQuery);
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            understudy.close();
        }
    }

    /** An EE11 web application at {@code /app}, one servlet per action. */
    static ServletContextHandler webapp(Map<String, Action> actions, List<? extends EventListener> listeners) {
        ServletContextHandler context = new ServletContextHandler("/app", ServletContextHandler.SESSIONS);
        ServletHolder servlet = new ServletHolder(new ActionServlet(actions));
        servlet.setAsyncSupported(true);
        context.addServlet(servlet, "/*");
        listeners.forEach(context::addEventListener);
        return context;
    }

    private static final class ActionServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final transient Map<String, Action> actions;

        ActionServlet(Map<String, Action> actions) {
            this.actions = new ConcurrentHashMap<>(actions);
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            try {
                actions.get(request.getPathInfo()).run(request, response);
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServletException(e);
            }
        }
    }
}
