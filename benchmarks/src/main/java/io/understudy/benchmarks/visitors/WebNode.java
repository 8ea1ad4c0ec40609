package io.understudy.benchmarks.visitors;

import io.understudy.config.UnderstudyConfig;
import io.understudy.jetty.UnderstudySessionFactory;
import io.understudy.tomcat.UnderstudyManager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Tomcat or Jetty with {@link WebPages} on loopback, in a JVM of its own that runs until it is ended. */
final class WebNode {

    static final String TOMCAT = "tomcat";
    static final String JETTY = "jetty";

    /** Room for some hundred cookies, in bytes. */
    private static final int HEAD_BYTES = 64 << 10;

    private WebNode() {}

    /**
     * @param args container, its port, the milliseconds that listeners take, a directory, and settings as {@code
     * name=value}
     */
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        WebPages.Listener listener = new WebPages.Listener(Integer.parseInt(args[2]));
        Map<String, String> settings = Arrays.stream(args)
                .skip(4)
                .map(setting -> setting.split("=", 2))
                .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1]));
        UnderstudyConfig config = UnderstudyConfig.fromProperties(settings);
        if (args[0].equals(TOMCAT)) {
            tomcat(port, Files.createDirectories(Path.of(args[3])), listener, config);
        } else {
            jetty(port, listener, config);
        }
    }

    private static void tomcat(int port, Path directory, WebPages.Listener listener, UnderstudyConfig config)
            throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setAddDefaultWebXmlToWebapp(false);
        Connector connector = new Connector();
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(port);
        connector.setProperty("maxHttpRequestHeaderSize", String.valueOf(HEAD_BYTES));
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setMaxCookieCount(2 * Strangers.COOKIES);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", directory.toString());
        Wrapper pages = Tomcat.addServlet(context, "pages", new WebPages(listener));
        for (String path : WebClient.PATHS) {
            pages.addMapping(path);
        }
        ((StandardContext) context).addApplicationLifecycleListener(listener);
        context.setManager(new UnderstudyManager(config));
        tomcat.start();
        if (((StandardContext) context).getState() != LifecycleState.STARTED) {
            throw new IllegalStateException("the application is " + ((StandardContext) context).getState());
        }
        tomcat.getServer().await();
    }

    private static void jetty(int port, WebPages.Listener listener, UnderstudyConfig config) throws Exception {
        Server server = new Server();
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(HEAD_BYTES);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setPort(port);
        server.addConnector(connector);
        server.addBean(new UnderstudySessionFactory(config));
        ServletContextHandler context = new ServletContextHandler("/", ServletContextHandler.SESSIONS);
        ServletHolder pages = new ServletHolder(new WebPages(listener));
        for (String path : WebClient.PATHS) {
            context.addServlet(pages, path);
        }
        context.addEventListener(listener);
        server.setHandler(context);
        server.start();
        server.join();
    }
}
