package io.understudy.demo.launcher.node;

import io.understudy.jetty.UnderstudySessionFactory;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.session.DefaultSessionIdManager;

/** Embedded Jetty with the shop at {@code /}. */
final class JettyContainer {

    private JettyContainer() {}

    static Container start(NodeArguments arguments) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(arguments.httpPort());
        connector.setIdleTimeout(Container.IDLE_MILLIS);
        server.addConnector(connector);

        // No ".node" suffix: an id is the same on every node and every container.
        DefaultSessionIdManager ids = new DefaultSessionIdManager(server);
        ids.setWorkerName("");
        server.addBean(ids, true);
        server.addBean(new UnderstudySessionFactory(arguments.config()));

        WebAppContext shop = new WebAppContext();
        shop.setContextPath("/");
        shop.setWar(arguments.war().toString());
        shop.setTempDirectory(arguments.work().toFile());
        shop.setMaxFormContentSize(Container.MAX_FORM_BYTES);
        shop.setThrowUnavailableOnStartupException(true);
        server.setHandler(new GracefulHandler(shop));
        server.setStopTimeout(Container.DRAIN_MILLIS);
        server.start();
        return server::stop;
    }
}
