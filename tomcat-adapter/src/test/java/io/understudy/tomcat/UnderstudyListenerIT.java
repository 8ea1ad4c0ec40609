package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import io.understudy.testkit.LoopbackCluster;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.management.ObjectName;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.IntrospectionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a listener, and applications that leave the node's settings to it. */
@Tag("container")
class UnderstudyListenerIT {

    private final Tomcat tomcat = new Tomcat();
    private final UnderstudyListener listener = new UnderstudyListener();
    private final int port = LoopbackCluster.freePorts(1).get(0);
    private final String cluster = "at" + port;

    @TempDir
    private Path directory;

    @BeforeEach
    void make() {
        tomcat.setBaseDir(directory.toString());
        TomcatNode.listen(tomcat);
        tomcat.getServer().addLifecycleListener(listener);
        tomcat.getHost();
        set("clusterName", cluster);
        set("bindPort", "" + port);
        set("hosts", "127.0.0.1:" + port);
        set("ackTimeout", "3s");
    }

    /** As the parser of {@code server.xml} does it. */
    private void set(String name, String value) {
        assertTrue(IntrospectionUtils.setProperty(listener, name, value));
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        assertEquals(0, nodes());
    }

    @Test
    void theNodeIsThereBeforeAndAfterTheApplicationsWhichNeedItsClusterOnly() throws Exception {
        tomcat.start();
        assertEquals(1, nodes());
        StandardContext shop = deploy("/shop", Map.of("clusterName", cluster));
        StandardContext till = deploy("/till", Map.of("clusterName", cluster, "coherence", "incoherent"));
        assertEquals(1, nodes());
        assertEquals(port, config(shop).bindPort());
        assertEquals(Duration.ofSeconds(3), config(shop).ackTimeout());
        assertEquals(Coherence.COHERENT, config(shop).coherence());
        assertEquals(port, config(till).bindPort());
        assertEquals(Coherence.INCOHERENT, config(till).coherence());
        tomcat.getHost().removeChild(shop);
        tomcat.getHost().removeChild(till);
        assertEquals(1, nodes());
        assertEquals(
                port, config(deploy("/shop", Map.of("clusterName", cluster))).bindPort());
        tomcat.stop();
        assertEquals(0, nodes());
        tomcat.start();
        assertEquals(1, nodes());
    }

    @Test
    void aSettingThatIsNotTheNodesIsRefusedAndNamedAlone() throws Exception {
        tomcat.start();
        StandardContext context = deploy("/shop", Map.of("clusterName", cluster, "bindPort", "7801"));
        assertFalse(context.getState().isAvailable());
        String message = assertThrows(LifecycleException.class, ((Lifecycle) context.getManager())::start)
                .getMessage();
        assertTrue(message.contains("expected bindPort = '" + port + "', got '7801'. Give "), message);
    }

    @Test
    void aWrongSettingMakesTheStartOfTheServerFail() {
        set("bindPrt", "7801");
        LifecycleException failure = assertThrows(LifecycleException.class, tomcat::start);
        assertInstanceOf(ConfigException.class, failure.getCause());
        assertEquals(
                "unknown setting 'bindPrt'; did you mean 'bindPort'?",
                failure.getCause().getMessage());
    }

    @Test
    void onlyTheServerCanHaveIt() {
        LifecycleEvent start = new LifecycleEvent(new StandardHost(), Lifecycle.BEFORE_START_EVENT, null);
        ConfigException refused = assertThrows(ConfigException.class, () -> listener.lifecycleEvent(start));
        assertTrue(refused.getMessage().contains("expected a Listener of Server"), refused.getMessage());
    }

    private static UnderstudyConfig config(StandardContext context) {
        assertTrue(context.getState().isAvailable());
        return ((UnderstudyManager) context.getManager()).config();
    }

    private int nodes() throws Exception {
        ObjectName name = new ObjectName("io.understudy:type=Node,cluster=" + ObjectName.quote(cluster) + ",*");
        return ManagementFactory.getPlatformMBeanServer().queryNames(name, null).size();
    }

    private StandardContext deploy(String path, Map<String, String> settings) {
        StandardContext context = new StandardContext();
        context.setName(path);
        context.setPath(path);
        context.setDocBase(directory.toString());
        context.addLifecycleListener(new Tomcat.FixContextListener());
        UnderstudyManager manager = new UnderstudyManager();
        settings.forEach(manager::setProperty);
        context.setManager(manager);
        tomcat.getHost().addChild(context);
        return context;
    }
}
