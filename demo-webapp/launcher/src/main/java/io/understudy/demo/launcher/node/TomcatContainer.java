package io.understudy.demo.launcher.node;

import io.understudy.tomcat.UnderstudyManager;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardService;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Embedded Tomcat with the shop at {@code /}. */
final class TomcatContainer {

    private TomcatContainer() {}

    static Container start(NodeArguments arguments) throws Exception {
        Path base = arguments.work().toAbsolutePath();
        Files.createDirectories(base.resolve("webapps"));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.toString());
        // The shop maps all it serves: neither the default servlet nor JSP is needed.
        tomcat.setAddDefaultWebXmlToWebapp(false);
        tomcat.setConnector(connector(arguments.httpPort()));
        ((StandardService) tomcat.getService()).setGracefulStopAwaitMillis(Container.DRAIN_MILLIS);

        Context shop = tomcat.addWebapp("", arguments.war().toString());
        // The class path is the launcher's, with Jetty's jars: nothing there is the shop's.
        StandardJarScanner scanner = new StandardJarScanner();
        scanner.setScanClassPath(false);
        shop.setJarScanner(scanner);
        shop.setManager(new UnderstudyManager(arguments.config()));
        tomcat.start();
        // Tomcat goes on without what failed to start; a node without its shop is none.
        if (shop.getState() != LifecycleState.STARTED || tomcat.getConnector().getState() != LifecycleState.STARTED) {
            throw new LifecycleException("the shop is " + shop.getState() + ", the connector at port "
                    + arguments.httpPort() + " is " + tomcat.getConnector().getState() + "; both must be STARTED");
        }
        return () -> {
            tomcat.stop();
            tomcat.destroy();
        };
    }

    private static Connector connector(int port) {
        Connector connector = new Connector();
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(port);
        connector.setMaxPostSize(Container.MAX_FORM_BYTES);
        connector.setProperty("keepAliveTimeout", String.valueOf(Container.IDLE_MILLIS));
        connector.setProperty("maxKeepAliveRequests", "-1");
        return connector;
    }
}
