package io.understudy.codec;

import java.lang.reflect.Field;

/**
 * Fields of the JDK's containers, to leave these as threads may leave them that change them without a lock. It needs {@code
 * sun.misc.Unsafe}, which a JVM may deny (JEP 498): the tests that use it are of the tier process, which runs on JDK 17.
 */
final class JdkFields {

    private static final Class<?> UNSAFE = type("sun.misc.Unsafe");

    private JdkFields() {}

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    static Object get(Object of, String field) {
        return called("getObject", new Class<?>[] {Object.class, long.class}, of, place(of, field));
    }

    static void set(Object of, String field, Object value) {
        called("putObject", new Class<?>[] {Object.class, long.class, Object.class}, of, place(of, field), value);
    }

    static void setInt(Object of, String field, int value) {
        called("putInt", new Class<?>[] {Object.class, long.class, int.class}, of, place(of, field), value);
    }

    /** The first key of a tree leads back to the root. */
    static void bend(Object tree) {
        Object root = get(tree, "root");
        Object first = root;
        for (Object next = root; next != null; next = get(first, "left")) {
            first = next;
        }
        set(first, "left", root);
    }

    /**
     * A rotation to the left leaves this, if another thread puts back a link that it has moved: the root is below its
     * own right child.
     */
    static void halfRotate(Object tree) {
        Object root = get(tree, "root");
        set(get(root, "right"), "left", root);
    }

    private static Object place(Object of, String name) {
        for (Class<?> at = of.getClass(); at != null; at = at.getSuperclass()) {
            for (Field each : at.getDeclaredFields()) {
                if (each.getName().equals(name)) {
                    return called("objectFieldOffset", new Class<?>[] {Field.class}, each);
                }
            }
        }
        throw new AssertionError(of.getClass() + " has no field " + name);
    }

    /** The only way past the walls of the JDK that needs no option of the JVM. */
    private static Object called(String method, Class<?>[] types, Object... arguments) {
        try {
            Field only = UNSAFE.getDeclaredField("theUnsafe");
            only.setAccessible(true);
            return UNSAFE.getMethod(method, types).invoke(only.get(null), arguments);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method, e);
        }
    }
}
