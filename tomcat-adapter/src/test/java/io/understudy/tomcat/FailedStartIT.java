package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.HostConfig;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications that do not start, for a reason of theirs or a setting. */
@Tag("container")
class FailedStartIT {

    private static final String WEB_XML = """
            <web-app><listener><listener-class>shop.Missing</listener-class></listener></web-app>
            """;

    private static final String CONTEXT_XML = """
            <Context>
              <Manager className="io.understudy.tomcat.UnderstudyManager" clusterName="%s" bindAddress="127.0.0.1"
                       bindPort="%d" hosts="127.0.0.1:%d" warmUp="off"/>
            </Context>
            """;

    @TempDir
    private Path directory;

    private final UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
    private final Tomcat tomcat = new Tomcat();

    /** The thread that starts the server holds the server's lock, and waits for those that start applications. */
    @Test
    void oneOfAnotherThreadDoesNotHoldUpTheServer() throws Exception {
        Path shop = directory.resolve("webapps").resolve("shop");
        Files.createDirectories(shop.resolve("WEB-INF"));
        Files.createDirectories(shop.resolve("META-INF"));
        Files.writeString(shop.resolve("WEB-INF").resolve("web.xml"), WEB_XML);
        Files.writeString(
                shop.resolve("META-INF").resolve("context.xml"),
                CONTEXT_XML.formatted(config.clusterName(), config.bindPort(), config.bindPort()));
        tomcat.setBaseDir(directory.toString());
        TomcatNode.listen(tomcat);
        StandardHost host = (StandardHost) tomcat.getHost();
        host.setAppBase("webapps");
        host.setStartStopThreads(2);
        host.addLifecycleListener(new HostConfig());
        CompletableFuture<Void> start = Beside.run(() -> {
            try {
                tomcat.start();
            } catch (LifecycleException e) {
                throw new IllegalStateException(e);
            }
        });
        Await.that("the server has started", start::isDone);
        assertFalse(host.findChild("/shop").getState().isAvailable());
        assertEquals(LifecycleState.STARTED, tomcat.getConnector().getState());
        tomcat.stop();
        tomcat.destroy();
    }

    @Test
    void theNodeOfAnApplicationWithAWrongSettingEnds() throws Exception {
        tomcat.setBaseDir(directory.toString());
        TomcatNode.listen(tomcat);
        Context context = tomcat.addContext("/shop", directory.toString());
        UnderstudyConfig wrong = config.with(Map.of(
                Setting.ATTRIBUTE_CLASSES.key(),
                "enforce " + directory.resolve("no").resolve("list")));
        context.setManager(new UnderstudyManager(wrong));
        tomcat.start();
        assertFalse(context.getState().isAvailable());
        assertNodeEnded();
        tomcat.stop();
        tomcat.destroy();
    }

    @Test
    void theNodeOfAValveWithAWrongSettingEnds() throws Exception {
        tomcat.setBaseDir(directory.toString());
        TomcatNode.listen(tomcat);
        UnderstudySingleSignOn valve = new UnderstudySingleSignOn();
        valve.setProperty("clusterName", config.clusterName());
        valve.setProperty("bindAddress", "127.0.0.1");
        valve.setProperty("bindPort", String.valueOf(config.bindPort()));
        valve.setProperty("hosts", "127.0.0.1:" + config.bindPort());
        valve.setProperty(
                "attributeClasses", "enforce " + directory.resolve("no").resolve("list"));
        tomcat.getHost().getPipeline().addValve(valve);
        assertThrows(LifecycleException.class, tomcat::start);
        assertNodeEnded();
        tomcat.destroy();
    }

    /** Another node can take the port. */
    private void assertNodeEnded() {
        try (Understudy node = NodeStart.start(config)) {
            assertEquals(config.bindPort(), node.config().bindPort());
        }
    }
}
