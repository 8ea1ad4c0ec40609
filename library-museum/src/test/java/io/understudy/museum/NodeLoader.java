package io.understudy.museum;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Enumeration;

/** The class loader of one node's application. It looks into its own jars first, as that of a web application does. */
public final class NodeLoader extends URLClassLoader {

    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    static {
        registerAsParallelCapable();
    }

    private final Layout layout;

    private NodeLoader(Layout layout, URL[] jars) {
        super(jars, NodeLoader.class.getClassLoader());
        this.layout = layout;
    }

    /** A loader of a new application, which has the whole class path of the tests. */
    public static NodeLoader of(Layout layout) {
        return new NodeLoader(
                layout,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .map(NodeLoader::url)
                        .toArray(URL[]::new));
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(entry, e);
        }
    }

    /** A node that runs the application. */
    Node start() throws ReflectiveOperationException {
        return (Node) loadClass("io.understudy.museum.library.LibraryNode")
                .getConstructor(ClassLoader.class)
                .newInstance(this);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            if (layout.shares(name)) {
                return getParent().loadClass(name);
            }
            try {
                return JDK.loadClass(name);
            } catch (ClassNotFoundException e) {
                return findClass(name);
            }
        }
    }

    @Override
    public URL getResource(String name) {
        return findResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return findResources(name);
    }
}
