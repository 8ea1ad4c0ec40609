package io.understudy.museum.attacks;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

/** A web application with the libraries in {@code WEB-INF/lib}. The canary and the codec are the container's. */
final class WarLoader extends URLClassLoader {

    static {
        registerAsParallelCapable();
    }

    WarLoader() {
        super(
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .map(WarLoader::url)
                        .toArray(URL[]::new),
                WarLoader.class.getClassLoader());
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(entry, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            if (name.startsWith("io.understudy.")) {
                return getParent().loadClass(name);
            }
            try {
                return ClassLoader.getPlatformClassLoader().loadClass(name);
            } catch (ClassNotFoundException e) {
                return findClass(name);
            }
        }
    }
}
