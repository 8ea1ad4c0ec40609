package io.understudy.benchmarks.peers.node;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with {@link SessionPages}. */
final class TomcatNode {

    /** Installs what replicates the sessions. */
    interface Sessions {
        void install(Tomcat tomcat, Context context) throws IOException;
    }

    private TomcatNode() {}

    /** Tomcat as it is, which does not replicate. */
    static void start(String address, Path directory) throws IOException, LifecycleException {
        start(address, directory, (tomcat, context) -> {});
    }

    static void start(String address, Path directory, Sessions sessions) throws IOException, LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setAddDefaultWebXmlToWebapp(false);
        Connector connector = new Connector();
        connector.setProperty("address", address);
        connector.setPort(ProductNode.HTTP_PORT);
        connector.setProperty("maxKeepAliveRequests", "-1");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", directory.toString());
        Wrapper pages = Tomcat.addServlet(context, "pages", new SessionPages());
        for (String path : SessionPages.PATHS) {
            pages.addMapping(path);
        }
        sessions.install(tomcat, context);
        tomcat.start();
        if (!((StandardContext) context).getState().isAvailable()) {
            throw new IllegalStateException("the application is " + ((StandardContext) context).getState());
        }
    }
}
