package io.understudy.junit.servers;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows an application only the container of the test's class path. The application gets all other classes from its own
 * directory, so nodes share no static field, and a missing library is noticed.
 */
final class ContainerLoader extends ClassLoader {

    private static final List<String> PACKAGES = List.of(
            "jakarta.annotation.",
            "jakarta.el.",
            "jakarta.security.auth.message.",
            "jakarta.servlet.",
            "jakarta.websocket.",
            "org.apache.catalina.",
            "org.apache.coyote.",
            "org.apache.el.",
            "org.apache.jasper.",
            "org.apache.juli.",
            "org.apache.naming.",
            "org.apache.tomcat.",
            "org.eclipse.jdt.",
            "io.understudy.");

    /** The starter belongs to the application: it is made of Spring. */
    private static final String STARTER = "io.understudy.springboot.";

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader classPath;

    ContainerLoader(ClassLoader classPath) {
        super("container", ClassLoader.getPlatformClassLoader());
        this.classPath = classPath;
    }

    private static boolean ofContainer(String name) {
        return !name.startsWith(STARTER) && PACKAGES.stream().anyMatch(name::startsWith);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!ofContainer(name)) {
            throw new ClassNotFoundException(name);
        }
        return classPath.loadClass(name);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        return ofContainer(name.replace('/', '.')) ? classPath.getResource(name) : null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return ofContainer(name.replace('/', '.')) ? classPath.getResources(name) : Collections.emptyEnumeration();
    }
}
