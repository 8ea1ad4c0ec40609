package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.eclipse.jetty.server.Handler;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same adapter serves the older environments, each loaded beside the core as a Jetty distribution does. */
@Timeout(60)
final class EnvironmentsIT {

    /** {@code ServletContextHandler.SESSIONS}, the same in all environments. */
    private static final int SESSIONS = 1;

    /** Prefers what it has itself: another servlet API than that of the class path. */
    private static final class EnvironmentLoader extends URLClassLoader {

        EnvironmentLoader(List<URL> urls) {
            super(urls.toArray(URL[]::new), EnvironmentsIT.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                try {
                    return findClass(name);
                } catch (ClassNotFoundException e) {
                    return super.loadClass(name, resolve);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"ee8, javax.servlet", "ee9, jakarta.servlet", "ee10, jakarta.servlet"})
    void aSessionGoesOnOnTheOtherNode(String environment, String api, @TempDir Path directory) throws Exception {
        List<Path> jars = jars(environment);
        compile(jars, api, directory);
        List<URL> urls = new ArrayList<>();
        urls.add(directory.toUri().toURL());
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        try (EnvironmentLoader loader = new EnvironmentLoader(urls);
                JettyCluster cluster =
                        JettyCluster.of(2).start(config -> JettyNode.of(config, webapp(loader, environment)))) {
            Browser browser = new Browser();
            for (int i = 1; i <= 20; i++) {
                assertEquals("" + i, browser.get(cluster.node(i % 2), "/app/count"));
            }
            Browser old = Browser.with(browser.cookie());
            assertEquals("21", browser.get(cluster.node(0), "/app/rename"));
            assertNotEquals(old.cookie(), browser.cookie());
            assertEquals("1", old.get(cluster.node(1), "/app/count"), "the old id is nobody's");
            assertEquals("22", browser.get(cluster.node(1), "/app/count"));
            ReplicationMetrics metrics = cluster.node(1).understudy.metrics();
            long sent = metrics.value(Counter.DELTAS_SENT);
            long acknowledged = metrics.value(Counter.RESPONSES_ACKNOWLEDGED);
            assertEquals("23", browser.get(cluster.node(1), "/app/bulk"));
            JettyCluster.eventually("it is sent", () -> metrics.value(Counter.DELTAS_SENT) == sent + 1);
            assertEquals(
                    acknowledged, metrics.value(Counter.RESPONSES_ACKNOWLEDGED), "the request wanted to be incoherent");
            assertEquals("24", browser.get(cluster.node(1), "/app/count"));
            assertEquals(acknowledged + 1, metrics.value(Counter.RESPONSES_ACKNOWLEDGED));
            browser.get(cluster.node(1), "/app/logout");
            assertEquals("1", browser.get(cluster.node(0), "/app/count"));
        }
    }

    /** The classes differ, their names and these methods do not. */
    private static Handler webapp(ClassLoader loader, String environment) {
        try {
            Class<?> type = loader.loadClass("org.eclipse.jetty." + environment + ".servlet.ServletContextHandler");
            Object context = type.getConstructor(int.class).newInstance(SESSIONS);
            type.getMethod("setContextPath", String.class).invoke(context, "/app");
            type.getMethod("setClassLoader", ClassLoader.class).invoke(context, loader);
            type.getMethod("addServlet", String.class, String.class).invoke(context, "CounterServlet", "/*");
            return context instanceof Handler handler ? handler : (Handler) ((Supplier<?>) context).get();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> jars(String environment) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target", "environments", environment))) {
            return files.toList();
        }
    }

    private static void compile(List<Path> jars, String api, Path directory) throws IOException {
        Path source = directory.resolve("CounterServlet.java");
        try (InputStream template = EnvironmentsIT.class.getResourceAsStream("CounterServlet.txt")) {
            Files.writeString(
                    source, new String(template.readAllBytes(), StandardCharsets.UTF_8).replace("SERVLET", api));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String path = String.join(
                System.getProperty("path.separator"),
                jars.stream().map(Path::toString).toList());
        assertEquals(
                0,
                compiler.run(
                        null, null, null, "-cp", path, "-proc:none", "-d", directory.toString(), source.toString()));
    }
}
