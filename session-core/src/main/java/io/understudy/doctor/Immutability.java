package io.understudy.doctor;

import io.understudy.codec.buffers.Immutables;
import io.understudy.codec.classes.JdkValues;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Of which objects it makes no difference whether there is one or two. */
final class Immutability {

    /** How deep objects in objects are looked into; what is deeper counts as able to change. */
    private static final int MAX_DEPTH = 8;

    private static final Set<String> JDK = Set.of(
            "java.io.File",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "java.net.InetSocketAddress",
            "java.util.OptionalDouble",
            "java.util.OptionalInt",
            "java.util.OptionalLong",
            "java.util.regex.Pattern",
            "java.lang.StackTraceElement",
            "javax.crypto.spec.SecretKeySpec",
            "javax.security.auth.x500.X500Principal");

    private Immutability() {}

    /** Whether it never changes, with all that it holds; also of the application's classes whose fields are all final. */
    static boolean of(Object value) {
        return of(value, 0);
    }

    private static boolean of(@Nullable Object value, int depth) {
        if (value == null
                || Immutables.immutable(value)
                || JDK.contains(value.getClass().getName())) {
            return true;
        }
        if (depth == MAX_DEPTH) {
            return false;
        }
        List<@Nullable Object> elements = holder(value) ? ObjectGraph.elements(value) : null;
        if (elements != null) {
            return elements.stream().allMatch(element -> of(element, depth + 1));
        }
        if (holder(value)) {
            return ObjectGraph.parts(GraphNode.attribute("", value)).stream()
                    .allMatch(part -> of(part.value(), depth + 1));
        }
        return singleton(value.getClass()) || fieldsOf(value, depth);
    }

    /** An unmodifiable holder of the JDK's. */
    static boolean holder(Object value) {
        String type = value.getClass().getName();
        return value instanceof Optional
                || type.startsWith("java.util.ImmutableCollections$")
                || type.startsWith("java.util.Collections$Empty")
                || type.startsWith("java.util.Collections$Singleton");
    }

    /** A class that chooses its objects when they are read: that may be the same one for both. */
    private static boolean singleton(Class<?> type) {
        for (Class<?> at = type; at != null && !JdkValues.ofJdk(at); at = at.getSuperclass()) {
            for (var method : at.getDeclaredMethods()) {
                if (method.getName().equals("readResolve") && method.getParameterCount() == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean fieldsOf(Object value, int depth) {
        Class<?> base = value.getClass();
        if (JdkValues.ofJdk(base) || base.isArray()) {
            return false;
        }
        while (base != null && !JdkValues.ofJdk(base)) {
            base = base.getSuperclass();
        }
        if (base != Object.class && base != Record.class) {
            return false;
        }
        for (Field field : ObjectGraph.fields(value.getClass())) {
            if (!Modifier.isFinal(field.getModifiers())
                    || (!field.getType().isPrimitive() && !of(ObjectGraph.value(field, value), depth + 1))) {
                return false;
            }
        }
        return true;
    }
}
