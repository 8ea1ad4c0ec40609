package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.LoopbackCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings as attributes of the {@code Manager} element of a real {@code META-INF/context.xml}. */
@Tag("container")
class ConfigurationIT {

    /** Tomcat reports why a context failed to start in its log only. */
    private static final Logger CONTAINERS = Logger.getLogger("org.apache.catalina.core");

    private final List<String> causes = new CopyOnWriteArrayList<>();
    private final Handler collector = new Handler() {
        @Override
        public void publish(LogRecord record) {
            for (Throwable t = record.getThrown(); t != null; t = t.getCause()) {
                causes.add(String.valueOf(t.getMessage()));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final Tomcat tomcat = new Tomcat();

    @TempDir
    private Path directory;

    @BeforeEach
    void listen() {
        CONTAINERS.addHandler(collector);
        tomcat.setBaseDir(directory.toString());
        TomcatNode.listen(tomcat);
    }

    @AfterEach
    void stop() throws Exception {
        CONTAINERS.removeHandler(collector);
        tomcat.stop();
        tomcat.destroy();
    }

    @Test
    void attributesAreSettingsOrTomcatsOwn() throws Exception {
        int port = LoopbackCluster.freePorts(1).get(0);
        Context context = start("clusterName='shop' bindPort='" + port + "' hosts='127.0.0.1:" + port
                + "' startAlone='serve' maxActiveSessions='7'");
        assertEquals(LifecycleState.STARTED, context.getState(), causes::toString);
        UnderstudyManager manager = assertInstanceOf(UnderstudyManager.class, context.getManager());
        assertEquals("shop", manager.config().clusterName());
        assertEquals(port, manager.config().bindPort());
        assertEquals(7, manager.getMaxActiveSessions());
        assertEquals("/shop", manager.getApplicationName());
    }

    @Test
    void anApplicationNameCanBeGiven() throws Exception {
        int port = LoopbackCluster.freePorts(1).get(0);
        Context context = start("clusterName='tills' bindPort='" + port + "' hosts='127.0.0.1:" + port
                + "' startAlone='serve' applicationName='till'");
        assertEquals(LifecycleState.STARTED, context.getState(), causes::toString);
        assertEquals("till", ((UnderstudyManager) context.getManager()).getApplicationName());
    }

    @Test
    void theApplicationNameIsThePathAndTheVersionIfThereIsOne() {
        assertEquals("/", applicationName("", ""));
        assertEquals("/shop", applicationName("/shop", ""));
        assertEquals("/shop/till##007", applicationName("/shop/till", "007"));
    }

    private static String applicationName(String path, String version) {
        StandardContext context = new StandardContext();
        context.setPath(path);
        context.setWebappVersion(version);
        UnderstudyManager manager = new UnderstudyManager();
        manager.setContext(context);
        return manager.getApplicationName();
    }

    @Test
    void anUnknownSettingFailsTheStartAndNamesTheNearest() throws Exception {
        Context context = start("clusterNam='shop'");
        assertFalse(context.getState().isAvailable());
        assertTrue(causes.contains("unknown setting 'clusterNam'; did you mean 'clusterName'?"), causes::toString);
    }

    @Test
    void aMalformedSettingFailsTheStartAndNamesTheValue() throws Exception {
        Context context = start("ackTimeout='soon'");
        assertFalse(context.getState().isAvailable());
        assertTrue(
                causes.stream().anyMatch(cause -> cause.contains("'ackTimeout'") && cause.contains("'soon'")),
                causes::toString);
    }

    private Context start(String attributes) throws Exception {
        Path application = directory.resolve("shop");
        Path metaInf = Files.createDirectories(application.resolve("META-INF"));
        Files.writeString(
                metaInf.resolve("context.xml"),
                "<Context><Manager className='io.understudy.tomcat.UnderstudyManager' " + attributes + "/></Context>");
        Context context = WebApplication.add(tomcat, application);
        tomcat.start();
        return context;
    }
}
