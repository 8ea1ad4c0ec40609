package io.understudy.museum;

import io.understudy.jetty.UnderstudySessionFactory;
import io.understudy.museum.ServerProcess.Options;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** An embedded Jetty with the application of {@code LibraryServlet}, until its standard input is closed. */
final class JettyProgram {

    private JettyProgram() {}

    public static void main(String[] arguments) throws Exception {
        Options options = Options.of(arguments);
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(options.port());
        server.addConnector(connector);
        UnderstudySessionFactory factory = new UnderstudySessionFactory();
        options.settings().forEach(factory::setProperty);
        server.addBean(factory);
        server.setHandler(options.layout() == Layout.WAR ? war(options) : flat());
        server.start();
        System.in.transferTo(System.out);
        System.exit(0);
    }

    private static ServletContextHandler war(Options options) {
        WebAppContext context = new WebAppContext(options.application().toString(), ServerProcess.CONTEXT);
        context.setThrowUnavailableOnStartupException(true);
        return context;
    }

    private static ServletContextHandler flat() {
        ServletContextHandler context =
                new ServletContextHandler(ServerProcess.CONTEXT, ServletContextHandler.SESSIONS);
        ServletHolder servlet = new ServletHolder();
        servlet.setClassName(WebApplication.SERVLET);
        servlet.setInitOrder(1);
        context.addServlet(servlet, "/*");
        return context;
    }
}
