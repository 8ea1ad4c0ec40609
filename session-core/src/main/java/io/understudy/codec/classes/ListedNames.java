package io.understudy.codec.classes;

import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * By which names a class is in a list. The JDK's values are in none. An array counts as its elements' class, a constant of an
 * enum as the enum, a proxy, whose own name is another one in each JVM, as its interfaces. A class is there with those that
 * it extends, as JDK streams name them too: otherwise the two formats would ask for different lists.
 */
final class ListedNames {

    /** Written instead of what bytes must not name. */
    private static final Set<Class<?>> STAND_INS = Set.of(WrittenUrl.class, WrittenHandler.class);

    private ListedNames() {}

    static List<String> of(Class<?> type) {
        List<String> names = new ArrayList<>();
        add(type, names);
        return names;
    }

    private static void add(Class<?> type, List<String> names) {
        Class<?> at = type;
        while (at.isArray()) {
            at = at.getComponentType();
        }
        if (Proxy.isProxyClass(at)) {
            for (Class<?> each : at.getInterfaces()) {
                add(each, names);
            }
            return;
        }
        if (Enum.class.isAssignableFrom(at) && !at.isEnum() && at != Enum.class) {
            at = at.getSuperclass(); // Of a constant with a body.
        }
        // What is not serializable has nothing serializable above it, and JDK streams do not name it.
        for (Class<?> up = at; up == at || serializable(up); up = up.getSuperclass()) {
            if (!up.isPrimitive()
                    && up != URL.class
                    && !STAND_INS.contains(up)
                    && !(JdkValues.ofJdk(up) && JdkValues.contains(up))) {
                names.add(up.getName());
            }
        }
    }

    private static boolean serializable(@Nullable Class<?> type) {
        return type != null && Serializable.class.isAssignableFrom(type);
    }
}
