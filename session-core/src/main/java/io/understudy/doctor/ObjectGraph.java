package io.understudy.doctor;

import io.understudy.codec.buffers.Immutables;
import io.understudy.codec.classes.JdkValues;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What objects consist of, as far as that is seen without running code of the application: fields of the application's
 * classes, and what the JDK's own collections hold. A collection that iterates by code of the application is seen by its
 * fields; one that the JDK wraps around it iterates all the same.
 *
 * <p>Threads: any. What other threads change meanwhile may be seen in part.
 */
final class ObjectGraph {

    private ObjectGraph() {}

    /** Whether it is a plain value, which is compared as such. */
    static boolean leaf(@Nullable Object value) {
        return value == null
                || (Immutables.immutable(value) && !value.getClass().isRecord());
    }

    /** Elements of an array of objects, or of a collection that the JDK iterates, in that order; {@code null} of all else. */
    static @Nullable List<@Nullable Object> elements(Object whole) {
        if (whole instanceof Object[] array) {
            return Arrays.asList(array);
        }
        return whole instanceof Collection<?> all && jdkHas(whole, "iterator", "toArray", "size")
                ? Arrays.asList(all.toArray())
                : null;
    }

    /** Entries of a map that the JDK iterates, in that order; {@code null} of all else. */
    static @Nullable List<Map.Entry<?, ?>> entries(Object whole) {
        return whole instanceof Map<?, ?> map && jdkHas(whole, "entrySet", "size") ? List.copyOf(map.entrySet()) : null;
    }

    private static boolean jdkHas(Object whole, String... methods) {
        return Arrays.stream(methods).allMatch(method -> JdkValues.ofJdk(declaring(whole.getClass(), method)));
    }

    /** The class whose method of that name would run. */
    static Class<?> declaring(Class<?> type, String name, Class<?>... parameters) {
        try {
            Method method = type.getMethod(name, parameters);
            return method.getDeclaringClass();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no public " + name, e);
        }
    }

    /** Whether it decides itself what equals it. */
    static boolean hasEquals(Object value) {
        return declaring(value.getClass(), "equals", Object.class) != Object.class;
    }

    /** Fields of the instance, from its class up to the first of the JDK. */
    static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> at = type; at != null && !JdkValues.ofJdk(at); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && field.trySetAccessible()) {
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    static boolean isTransient(Field field) {
        return Modifier.isTransient(field.getModifiers());
    }

    static @Nullable Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " was made accessible", e);
        }
    }

    /** What it consists of, one step down, and as far as it travels: without nulls and transient fields. */
    static List<GraphNode> parts(GraphNode whole) {
        List<GraphNode> parts = new ArrayList<>();
        Object value = whole.value();
        Path path = whole.path();
        if (leaf(value)) {
            return parts;
        }
        List<@Nullable Object> elements = elements(value);
        List<Map.Entry<?, ?>> entries = entries(value);
        if (elements != null) {
            for (int i = 0; i < elements.size(); i++) {
                add(parts, path.element(i), elements.get(i));
            }
        } else if (entries != null) {
            for (int i = 0; i < entries.size(); i++) {
                add(parts, path.key(i), entries.get(i).getKey());
                add(
                        parts,
                        path.value(entries.get(i).getKey(), i),
                        entries.get(i).getValue());
            }
        }
        ofJdk(parts, path, value);
        for (Field field : fields(value.getClass())) {
            if (!isTransient(field)) {
                add(parts, path.field(field.getName()), value(field, value));
            }
        }
        return parts;
    }

    /** What the JDK's other objects hold of the application's. */
    static void ofJdk(List<GraphNode> parts, Path path, Object value) {
        if (Proxy.isProxyClass(value.getClass())) {
            add(parts, path.field("handler"), Proxy.getInvocationHandler(value));
        } else if (!JdkValues.ofJdk(value.getClass())) {
            return;
        } else if (value instanceof Optional<?> optional) {
            add(parts, path.field("value"), optional.orElse(null));
        } else if (value instanceof AtomicReference<?> reference) {
            add(parts, path.field("value"), reference.get());
        } else if (value instanceof Map.Entry<?, ?> entry) {
            add(parts, path.field("key"), entry.getKey());
            add(parts, path.field("value"), entry.getValue());
        } else if (value instanceof SortedSet<?> set) {
            add(parts, path.field("comparator"), set.comparator());
        } else if (value instanceof SortedMap<?, ?> map) {
            add(parts, path.field("comparator"), map.comparator());
        } else if (value instanceof PriorityQueue<?> queue) {
            add(parts, path.field("comparator"), queue.comparator());
        }
    }

    private static void add(List<GraphNode> parts, Path path, @Nullable Object value) {
        if (value != null) {
            parts.add(new GraphNode(path, value));
        }
    }
}
