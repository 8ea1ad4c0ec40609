package io.understudy.codec.streams;

import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.WrittenUrl;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.net.URL;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value without what the filter refuses: null stands there. To read it makes no object of a refused class, but
 * for those that others put in their own place.
 *
 * <p>Threads: one.
 */
final class AllowedPartWriter extends JdkWriter {

    private final ClassFilter filter;
    private final StreamedContainers containers;
    private final List<Object> replaced;

    /** @param replaced gets the objects that may be replaced when they are read */
    AllowedPartWriter(BoundedOutput out, ClassFilter filter, StreamedContainers containers, List<Object> replaced)
            throws IOException {
        super(out, filter, containers);
        this.filter = filter;
        this.containers = containers;
        this.replaced = replaced;
    }

    @Override
    protected @Nullable Object replaceObject(Object object) throws IOException {
        if (!allowed(object)) {
            return null;
        }
        if (containers.form(object.getClass()).doubtful()) {
            replaced.add(object);
        }
        return super.replaceObject(object);
    }

    private boolean allowed(Object object) {
        if (object instanceof URL url) {
            return filter.objectionToOrigin(URL.class) == null && writable(url);
        }
        for (Class<?> at = object.getClass(); Serializable.class.isAssignableFrom(at); at = at.getSuperclass()) {
            if (filter.objection(at) != null) {
                return false;
            }
        }
        return object instanceof Serializable;
    }

    private static boolean writable(URL url) {
        try {
            var unused = WrittenUrl.of(url);
            return true;
        } catch (NotSerializableException e) {
            return false;
        }
    }

    /** A class that stands there itself may be refused: no object is made of it. */
    @Override
    void meet(Class<?> type) {}
}
