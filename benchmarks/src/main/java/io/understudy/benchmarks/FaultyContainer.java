package io.understudy.benchmarks;

import io.understudy.Understudy;
import io.understudy.contract.Application;
import io.understudy.contract.ContractContainer;
import io.understudy.contract.Topology;
import io.understudy.jetty.UnderstudySessionFactory;
import io.understudy.tomcat.UnderstudyManager;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The containers whose adapters' code throws, with no more than the application's servlet. */
enum FaultyContainer {
    TOMCAT(OnTomcat.class, UnderstudyManager.class),
    JETTY(OnJetty.class, UnderstudySessionFactory.class);

    private final Class<? extends ContractContainer> container;
    private final Class<?> adapter;

    FaultyContainer(Class<? extends ContractContainer> container, Class<?> adapter) {
        this.container = container;
        this.adapter = adapter;
    }

    /** To be made anew by the loader of the faults. */
    String container() {
        return container.getName();
    }

    /** A class of the module that the faults are in. */
    String adapter() {
        return adapter.getName();
    }

    private static final class OnTomcat implements ContractContainer {

        @Override
        public Node start(Topology topology, Application application, Optional<Understudy> node) throws Exception {
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(Files.createTempDirectory("faults-tomcat").toString());
            tomcat.setAddDefaultWebXmlToWebapp(false);
            Connector connector = new Connector();
            connector.setProperty("address", "127.0.0.1");
            connector.setPort(0);
            tomcat.setConnector(connector);
            Context context = tomcat.addContext(Application.PATH, null);
            Wrapper servlet = Tomcat.addServlet(context, "tasks", application.servlet());
            servlet.setAsyncSupported(true);
            servlet.addMapping(Application.SERVLET_MAPPING);
            context.setManager(new UnderstudyManager(node.orElseThrow()));
            tomcat.start();
            return new TomcatNode(tomcat);
        }
    }

    private record TomcatNode(Tomcat tomcat) implements ContractContainer.Node {

        @Override
        public int port() {
            return tomcat.getConnector().getLocalPort();
        }

        @Override
        public void close() {
            try {
                tomcat.stop();
                tomcat.destroy();
            } catch (LifecycleException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static final class OnJetty implements ContractContainer {

        @Override
        public Node start(Topology topology, Application application, Optional<Understudy> node) throws Exception {
            Server server = new Server();
            ServerConnector connector = new ServerConnector(server);
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
            server.addBean(new UnderstudySessionFactory(node.orElseThrow()));
            ServletContextHandler context = new ServletContextHandler(Application.PATH, ServletContextHandler.SESSIONS);
            ServletHolder servlet = new ServletHolder(application.servlet());
            servlet.setAsyncSupported(true);
            context.addServlet(servlet, Application.SERVLET_MAPPING);
            server.setHandler(context);
            server.start();
            return new JettyNode(server, connector);
        }
    }

    private record JettyNode(Server server, ServerConnector connector) implements ContractContainer.Node {

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
}
