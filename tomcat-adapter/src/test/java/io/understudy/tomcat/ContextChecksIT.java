package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.Understudy;
import io.understudy.testkit.ClassJar;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.Cluster;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications with a second manager, or with files that contradict their manager. */
@Tag("container")
class ContextChecksIT {

    private static final String WEB_XML =
            "<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.0'>%s</web-app>";

    private final LogLines log = new LogLines("io.understudy");
    private final Tomcat tomcat = new Tomcat();
    private final int port = LoopbackCluster.freePorts(1).get(0);
    private final String manager =
            "<Context><Manager className='io.understudy.tomcat.UnderstudyManager' clusterName='at" + port
                    + "' bindPort='" + port + "' hosts='127.0.0.1:" + port + "' startAlone='serve'/></Context>";

    @TempDir
    private Path directory;

    private Path application;

    @BeforeEach
    void make() throws Exception {
        tomcat.setBaseDir(directory.toString());
        TomcatNode.listen(tomcat);
        application = directory.resolve("shop");
        write("META-INF/context.xml", manager);
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        log.close();
    }

    @Test
    void whatIsAsItShouldBeIsNotCommentedOn() throws Exception {
        write("WEB-INF/web.xml", WEB_XML.formatted("<distributable/>"));
        start();
        assertEquals(List.of(), warnings());
        assertEquals(List.of(), log.with("distributable"));
    }

    @Test
    void aMissingDistributableIsToldOnce() throws Exception {
        write("WEB-INF/web.xml", WEB_XML.formatted(""));
        start();
        assertEquals(1, log.with("INFO", "/shop@", "has no <distributable/>").size());
        assertEquals(List.of(), warnings());
    }

    @Test
    void aClusterOfTomcatsOwnIsNamed() throws Exception {
        tomcat.getEngine().setCluster((Cluster) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Cluster.class},
                (proxy, method, arguments) -> method.getName().equals("getContainer") ? tomcat.getEngine() : null));
        start();
        assertEquals(
                1,
                log.with("WARNING", "/shop@", "<Cluster> of StandardEngine[Tomcat]")
                        .size());
        assertEquals(1, warnings().size());
    }

    @Test
    void aManagerThatTookThePlaceOfOursIsNamed() throws Exception {
        // Instead of conf/context.xml, which a JVM reads from the base directory of its first Tomcat.
        Path defaults = Files.writeString(directory.resolve("context.xml"), manager);
        write(
                "META-INF/context.xml",
                "<Context><Manager className='org.apache.catalina.session.StandardManager'/></Context>");
        StandardContext context = WebApplication.add(tomcat, application);
        context.setDefaultContextXml(defaults.toString());
        tomcat.start();
        assertInstanceOf(StandardManager.class, context.getManager());
        assertEquals(
                1,
                log.with(
                                "WARNING",
                                "/shop - two Managers",
                                "[clusterName, bindPort, hosts, startAlone]",
                                StandardManager.class.getName(),
                                "not replicated")
                        .size());
        tomcat.getHost().removeChild(context);
        assertEquals(1, warnings().size());
    }

    @Test
    void aSecondCopyInTheApplicationIsNamed() throws Exception {
        Path jar = ClassJar.of(Understudy.class, application.resolve("WEB-INF/lib/understudy-core.jar"), "1.0.0");
        start();
        assertEquals(1, log.with("WARNING", "/shop@", jar.toString()).size());
        assertEquals(1, warnings().size());
    }

    /** All but that a node is alone, which these are, and that this machine stood still. */
    private List<String> warnings() {
        return log.with("WARNING").stream()
                .filter(line -> !line.contains("serving alone") && !line.contains("this process paused for"))
                .toList();
    }

    private void write(String name, String content) throws Exception {
        Path file = application.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void start() throws Exception {
        Context context = WebApplication.add(tomcat, application);
        tomcat.start();
        assertTrue(context.getState().isAvailable());
    }
}
