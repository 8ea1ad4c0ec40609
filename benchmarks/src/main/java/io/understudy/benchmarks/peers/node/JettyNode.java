package io.understudy.benchmarks.peers.node;

import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty with {@link SessionPages}. */
final class JettyNode {

    /** Installs what replicates the sessions. */
    interface Sessions {
        void install(Server server) throws Exception;
    }

    private JettyNode() {}

    /** Jetty as it is, which does not replicate. */
    static void start(String address) throws Exception {
        start(address, server -> {});
    }

    static void start(String address, Sessions sessions) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(address);
        connector.setPort(ProductNode.HTTP_PORT);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/", ServletContextHandler.SESSIONS);
        ServletHolder pages = new ServletHolder(new SessionPages());
        for (String path : SessionPages.PATHS) {
            context.addServlet(pages, path);
        }
        server.setHandler(context);
        sessions.install(server);
        server.start();
    }
}
