package io.understudy.jetty;

import io.understudy.Understudy;
import io.understudy.contract.Application;
import io.understudy.contract.ContractContainer;
import io.understudy.contract.Topology;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.Optional;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.session.DefaultSessionIdManager;
import org.eclipse.jetty.session.HouseKeeper;
import org.eclipse.jetty.session.SessionCache;

/** Jetty with an EE11 application, for the contract that all containers keep. */
final class JettyContainer implements ContractContainer {

    private static final class JettyServer implements ContractContainer.Node {

        private final Server server = new Server();
        private final HttpConfiguration http = new HttpConfiguration();
        private final ServerConnector connector =
                new ServerConnector(server, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));

        JettyServer(Topology topology, Application application, Optional<Understudy> node) throws Exception {
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
            server.setHandler(context(application));
            DefaultSessionIdManager ids = new DefaultSessionIdManager(server);
            HouseKeeper houseKeeper = new HouseKeeper();
            houseKeeper.setIntervalSec(1);
            ids.setSessionHouseKeeper(houseKeeper);
            server.addBean(ids, true);
            if (node.isPresent()) {
                UnderstudySessionFactory factory = new UnderstudySessionFactory(node.get());
                factory.setEvictionPolicy(
                        topology.dropping() ? SessionCache.EVICT_ON_SESSION_EXIT : SessionCache.NEVER_EVICT);
                server.addBean(factory);
            }
            server.start();
        }

        private static ServletContextHandler context(Application application) {
            ServletContextHandler context = new ServletContextHandler(Application.PATH, ServletContextHandler.SESSIONS);
            ServletHolder servlet = new ServletHolder(application.servlet());
            servlet.setAsyncSupported(true);
            context.addServlet(servlet, Application.SERVLET_MAPPING);
            context.addServlet(servlet, Application.ERROR_PAGE);
            FilterHolder filter = new FilterHolder(application.filter());
            filter.setAsyncSupported(true);
            context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST));
            context.addEventListener(application.listener());
            ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
            errors.addErrorPage(Application.ERROR_STATUS, Application.ERROR_PAGE);
            errors.addErrorPage(Throwable.class, Application.ERROR_PAGE);
            context.setErrorHandler(errors);
            JakartaWebSocketServletContainerInitializer.configure(
                    context, (servlets, sockets) -> sockets.addEndpoint(application.endpoint()));
            context.getSessionHandler().setMaxInactiveInterval(Application.INTERVAL_SECONDS);
            context.getSessionHandler().setHttpOnly(true);
            return context;
        }

        @Override
        public int port() {
            return connector.getLocalPort();
        }

        @Override
        public void close() {
            try {
                server.stop();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public ContractContainer.Node start(Topology topology, Application application, Optional<Understudy> node)
            throws Exception {
        return new JettyServer(topology, application, node);
    }
}
