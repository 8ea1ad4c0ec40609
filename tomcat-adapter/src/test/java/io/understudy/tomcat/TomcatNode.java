package io.understudy.tomcat;

import io.understudy.NodeFigures;
import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.faults.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.catalina.Engine;
import org.apache.catalina.Host;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardEngine;
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

    private TomcatNode(Understudy node, Pages pages, Engine engine) {
        understudy = node;
        engine.setName("Tomcat");
        engine.setDefaultHost("localhost");
        tomcat.getService().setContainer(engine);
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
        return start(NodeStart.start(config), pages);
    }

    /** @param node closed with the container */
    static TomcatNode start(Understudy node, Pages pages) {
        return start(node, pages, new StandardEngine());
    }

    /** @param node closed with the container */
    static TomcatNode start(Understudy node, Pages pages, Engine engine) {
        return new TomcatNode(node, pages, engine);
    }

    /** Containers on the nodes of a cluster, all of them ready. */
    static List<TomcatNode> start(Cluster cluster, int count, Pages pages) {
        List<TomcatNode> nodes = IntStream.range(0, count)
                .mapToObj(node -> start(cluster.node(node), pages))
                .toList();
        awaitAll(nodes);
        return nodes;
    }

    private static void awaitAll(List<TomcatNode> nodes) {
        nodes.forEach(TomcatNode::awaitReady);
        List<Understudy> all = nodes.stream().map(TomcatNode::understudy).toList();
        Await.that("they know it", () -> NodeFigures.allKnownReady(all));
    }

    /** Nodes of one cluster, all of them ready. */
    static List<TomcatNode> start(int count, Pages pages) {
        List<TomcatNode> nodes = new ArrayList<>();
        for (UnderstudyConfig config : LoopbackCluster.configs(count)) {
            nodes.add(start(config, pages));
        }
        awaitAll(nodes);
        return nodes;
    }

    static void listen(Tomcat tomcat) {
        // Without the servlet for JSPs, which are not on the class path.
        tomcat.setAddDefaultWebXmlToWebapp(false);
        Connector connector = new Connector();
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(0);
        // Tomcat closes a connection after its hundredth request. If that is a web socket's handshake, Java's client
        // refuses it.
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.addUpgradeProtocol(new Http2Protocol());
        tomcat.setConnector(connector);
    }

    /** Adds an application, or a version of one, to the running host. */
    void deploy(String path, String version, Pages pages) {
        deploy(tomcat.getHost(), path, version, pages);
    }

    /** The same on another host of the server. */
    void deploy(Host host, String path, String version, Pages pages) {
        String name = version.isEmpty() ? path : path + "##" + version;
        StandardContext context = new StandardContext();
        context.setName(name);
        context.setPath(path);
        context.setWebappVersion(version);
        context.setDocBase(tomcat.getServer().getCatalinaBase().getPath());
        context.addLifecycleListener(new Tomcat.FixContextListener());
        context.setManager(new UnderstudyManager(understudy));
        pages.deployOn(context);
        host.addChild(context);
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
