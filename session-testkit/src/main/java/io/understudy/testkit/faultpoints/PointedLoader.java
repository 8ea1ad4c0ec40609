package io.understudy.testkit.faultpoints;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/**
 * Loads Understudy, and JGroups, which keeps a registry for its JVM, beside the copies that the class path has. In
 * Understudy's core, or in an adapter, there are {@linkplain FaultPoints places that can throw}: each place that
 * allocates, calls between the parts of a node, and calls of an adapter to other code. What tests bring along is
 * loaded, and not changed.
 */
public final class PointedLoader extends ClassLoader {

    private static final List<String> OWN = List.of("io.understudy.", "org.jgroups.");

    /** A JVM has one of each. */
    private static final List<String> SHARED =
            List.of("io.understudy.testkit.faultpoints.", "io.understudy.testkit.OwnPorts");

    private static final String CORE = "io.understudy.Understudy";

    private final String pointed;

    /** Places are in the core. */
    public PointedLoader() {
        this(CORE);
    }

    /** @param part a class of the module that the places are in */
    public PointedLoader(String part) {
        super(PointedLoader.class.getClassLoader());
        String path = path(part);
        String known =
                Objects.requireNonNull(getParent().getResource(path), part).toString();
        pointed = known.substring(0, known.length() - path.length());
    }

    private static String path(String type) {
        return type.replace('.', '/') + ".class";
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (SHARED.stream().anyMatch(name::startsWith) || OWN.stream().noneMatch(name::startsWith)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = path(name);
        URL place = getParent().getResource(path);
        if (place == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = place.openStream()) {
            byte[] bytes = in.readAllBytes();
            byte[] changed = place.toString().startsWith(pointed) ? pointed(bytes) : bytes;
            return defineClass(name, changed, 0, changed.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] pointed(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new PointWriter(writer), 0);
        return writer.toByteArray();
    }
}
