package io.understudy.tomcat;

import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Host;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;

/** A real Tomcat on a free loopback port with one application at {@code /shop} and a cluster node of its own. */
final class TomcatNode implements AutoCloseable, Browser.Server {

    /** Held, as the log manager forgets levels of loggers that nobody holds. */
    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    static {
        TOMCAT.setLevel(Level.WARNING);
    }

    private final Understudy understudy;
    private final Tomcat tomcat = new Tomcat();
    private final UnderstudyManager manager;

    private TomcatNode(UnderstudyConfig config, Pages pages) {
        understudy = NodeStart.start(config);
        manager = new UnderstudyManager(understudy);
        try {
            Path base = Files.createTempDirectory("understudy-tomcat");
            tomcat.setBaseDir(base.toString());
            listen(tomcat);
            StandardContext context = (StandardContext) tomcat.addContext("/shop", base.toString());
            context.setManager(manager);
            pages.deployOn(context);
            tomcat.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    static TomcatNode start(UnderstudyConfig config, Pages pages) {
        return new TomcatNode(config, pages);
    }

    /** Nodes of one cluster, all of them ready. */
    static List<TomcatNode> start(int count, Pages pages) {
        List<TomcatNode> nodes = new ArrayList<>();
        for (UnderstudyConfig config : LoopbackCluster.configs(count)) {
            nodes.add(start(config, pages));
        }
        nodes.forEach(TomcatNode::awaitReady);
        return nodes;
    }

    static void listen(Tomcat tomcat) {
        // Without the servlet for JSPs, which are not on the class path.
        tomcat.setAddDefaultWebXmlToWebapp(false);
        Connector connector = new Connector();
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(0);
        connector.addUpgradeProtocol(new Http2Protocol());
        tomcat.setConnector(connector);
    }

    /** Adds an application, or a version of one, to the running host. */
    void deploy(String path, String version, Pages pages) {
        String name = version.isEmpty() ? path : path + "##" + version;
        StandardContext context = new StandardContext();
        context.setName(name);
        context.setPath(path);
        context.setWebappVersion(version);
        context.setDocBase(tomcat.getServer().getCatalinaBase().getPath());
        context.addLifecycleListener(new Tomcat.FixContextListener());
        context.setManager(new UnderstudyManager(understudy));
        pages.deployOn(context);
        tomcat.getHost().addChild(context);
    }

    void awaitReady() {
        Await.that("node is ready", () -> understudy.readiness().ready());
    }

    Host host() {
        return tomcat.getHost();
    }

    Understudy understudy() {
        return understudy;
    }

    UnderstudyManager manager() {
        return manager;
    }

    /** Of a page of the application at {@code /shop}. */
    @Override
    public URI uri(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop" + pathAndQuery);
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        } finally {
            understudy.close();
        }
    }
}
