package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.eclipse.jetty.server.Handler;

/** An older environment, loaded beside the core as a Jetty distribution does, and an application that only it knows. */
final class Environment implements AutoCloseable {

    /** {@code ServletContextHandler.SESSIONS}, the same in all environments. */
    private static final int SESSIONS = 1;

    /** Prefers what it has itself: another servlet API than that of the class path. */
    private static final class EnvironmentLoader extends URLClassLoader {

        EnvironmentLoader(List<URL> urls) {
            super(urls.toArray(URL[]::new), Environment.class.getClassLoader());
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

    /** Jetty allows one per environment and JVM. */
    private static final Map<String, EnvironmentLoader> LOADERS = new ConcurrentHashMap<>();

    private final String name;
    private final String servlet;
    private final EnvironmentLoader loader;
    private final URLClassLoader applicationLoader;

    private Environment(String name, String servlet, EnvironmentLoader loader, Path classes)
            throws MalformedURLException {
        this.name = name;
        this.servlet = servlet;
        this.loader = loader;
        applicationLoader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, loader);
    }

    /**
     * @param name as in the names of its packages
     * @param api the package of its servlet API
     * @param servlet the name of the application's only servlet, whose source is a resource with words to replace
     * @param classes where it is compiled to
     */
    static Environment of(String name, String api, String servlet, Path classes) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target", "environments", name))) {
            List<Path> jars = files.toList();
            Path source = classes.resolve(servlet + ".java");
            try (InputStream template = Environment.class.getResourceAsStream(servlet + ".txt")) {
                Files.writeString(
                        source,
                        new String(template.readAllBytes(), StandardCharsets.UTF_8)
                                .replace("SERVLET", api)
                                .replace("ENVIRONMENT", "org.eclipse.jetty." + name));
            }
            compile(source, jars, classes);
            return new Environment(name, servlet, LOADERS.computeIfAbsent(name, first -> loader(jars)), classes);
        }
    }

    private static EnvironmentLoader loader(List<Path> jars) {
        try {
            List<URL> urls = new ArrayList<>();
            for (Path jar : jars) {
                urls.add(jar.toUri().toURL());
            }
            return new EnvironmentLoader(urls);
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void compile(Path source, List<Path> jars, Path classes) {
        List<String> path = new ArrayList<>(jars.stream().map(Path::toString).toList());
        path.add(System.getProperty("java.class.path"));
        String[] options = {
            "-cp",
            String.join(System.getProperty("path.separator"), path),
            "-proc:none",
            "-d",
            classes.toString(),
            source.toString()
        };
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, options));
    }

    /** A context of the application at {@code /app}. The classes differ, their names and these methods do not. */
    Handler webapp() {
        try {
            Class<?> type = loader.loadClass("org.eclipse.jetty." + name + ".servlet.ServletContextHandler");
            Object context = type.getConstructor(int.class).newInstance(SESSIONS);
            type.getMethod("setContextPath", String.class).invoke(context, "/app");
            type.getMethod("setClassLoader", ClassLoader.class).invoke(context, applicationLoader);
            type.getMethod("addServlet", String.class, String.class).invoke(context, servlet, "/*");
            applicationLoader.loadClass(servlet).getMethod("configure", type).invoke(null, context);
            return context instanceof Handler handler ? handler : (Handler) ((Supplier<?>) context).get();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        applicationLoader.close();
    }
}
