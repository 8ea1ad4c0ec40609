package io.understudy.codec.streams;

import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.WrittenHandler;
import io.understudy.codec.classes.WrittenUrl;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.net.URL;
import java.util.List;

/**
 * The parts of a value that the filter does not refuse. A {@link JdkWriter} writes null for the others. To read that makes
 * no object of a refused class, but for those that others put in their own place.
 *
 * <p>Threads: one.
 */
final class AllowedParts {

    private final ClassFilter filter;
    private final StreamedContainers containers;
    private final List<Object> replaced;

    /** @param replaced gets the objects that may be replaced when they are read */
    AllowedParts(ClassFilter filter, StreamedContainers containers, List<Object> replaced) {
        this.filter = filter;
        this.containers = containers;
        this.replaced = replaced;
    }

    /** Whether an object is one, as far as its class decides. */
    boolean has(Object object) {
        if (!allowed(object)) {
            return false;
        }
        if (containers.form(object.getClass()).doubtful()) {
            replaced.add(object);
        }
        return true;
    }

    private boolean allowed(Object object) {
        if (WrittenHandler.insteadOf(object) != object) {
            return true;
        }
        if (object instanceof Class<?> type) {
            return filter.objection(type) == null || (type.isInterface() && filter.mentioned(type.getName()));
        }
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
}
