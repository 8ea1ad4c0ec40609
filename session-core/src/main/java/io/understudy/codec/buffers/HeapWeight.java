package io.understudy.codec.buffers;

import io.understudy.codec.classes.JdkValues;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;

/**
 * The heap that a value takes, by estimate: the sum of what is added, as it is met while the value is written or read.
 * Headers and fields count as HotSpot lays them out with compressed references. What containers and other classes of the
 * JDK hold inside, and no codec meets, counts by their size. Shared boxed numbers count each time, so the estimate is
 * rather too high.
 *
 * <p>Threads: one.
 */
public final class HeapWeight {

    /** Heap, by estimate, for each byte of a JDK stream, which names classes and fields. */
    public static final int BYTES_PER_STREAMED = 4;

    private static final int HEADER = 12;
    private static final int ARRAY_HEADER = 16;
    private static final int REFERENCE = 4;

    /** Of a class whose fields can't be looked at. */
    private static final int UNKNOWN = 64;

    /** Entry objects of hash tables and trees, and their places in a table. */
    private static final int ENTRY = 48;

    /** The smallest table, and the map within a set. */
    private static final int TABLE = 128;

    /** A place in the array of a list or queue, which may be half empty. */
    private static final int PLACE = 8;

    /** What a value of the JDK, such as a date or a large number, refers to. */
    private static final int INSIDE = 32;

    private static final ClassValue<Integer> SHALLOW = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            try {
                return fields(type);
            } catch (LinkageError e) {
                return UNKNOWN; // The class of a field is not there.
            }
        }
    };

    private long bytes;

    /** At most {@code Integer.MAX_VALUE}. */
    public int bytes() {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    /** Begins anew. */
    public void restart() {
        bytes = 0;
    }

    /** The value was written into, or read from, so many bytes of a JDK stream. */
    public void addStreamed(int length) {
        bytes += (long) BYTES_PER_STREAMED * length;
    }

    /** A number or another primitive value in a box, or a constant of an enum, which takes nothing. */
    public void addBoxed(Class<?> type) {
        if (!Enum.class.isAssignableFrom(type)) {
            bytes += SHALLOW.get(type);
        }
    }

    /** An object without those it refers to. */
    public void add(Object object) {
        Class<?> type = object.getClass();
        if (object instanceof String text) {
            bytes += SHALLOW.get(type) + padded(ARRAY_HEADER + (latin(text) ? 1 : 2) * (long) text.length());
        } else if (type.isArray()) {
            bytes += padded(ARRAY_HEADER + (long) size(type.getComponentType()) * Array.getLength(object));
        } else if (!JdkValues.ofJdk(type)) {
            bytes += SHALLOW.get(type);
        } else if (object instanceof Map<?, ?> map) {
            bytes += SHALLOW.get(type) + table(map.size());
        } else if (object instanceof Collection<?> collection) {
            bytes += SHALLOW.get(type) + elements(collection);
        } else if (object instanceof Class) {
            return; // Not the value's.
        } else {
            bytes += SHALLOW.get(type) + INSIDE;
        }
    }

    private static long elements(Collection<?> collection) {
        int size = collection.size();
        if (collection instanceof Set) {
            return table(size);
        }
        boolean array = collection instanceof RandomAccess || collection instanceof ArrayDeque;
        return size == 0 ? 0 : array ? ARRAY_HEADER + (long) PLACE * size : (long) ENTRY * size;
    }

    private static long table(int size) {
        return size == 0 ? 0 : TABLE + (long) ENTRY * size;
    }

    /** Whether the JVM keeps a byte for each character. Of a long text the beginning tells. */
    private static boolean latin(String text) {
        for (int i = 0; i < Math.min(text.length(), 64); i++) {
            if (text.charAt(i) > 0xFF) {
                return false;
            }
        }
        return true;
    }

    private static int fields(Class<?> type) {
        int size = HEADER;
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                size += Modifier.isStatic(field.getModifiers()) ? 0 : size(field.getType());
            }
        }
        return (int) padded(size);
    }

    private static int size(Class<?> type) {
        if (type == long.class || type == double.class) {
            return 8;
        } else if (type == int.class || type == float.class) {
            return 4;
        } else if (type == short.class || type == char.class) {
            return 2;
        }
        return type.isPrimitive() ? 1 : REFERENCE;
    }

    private static long padded(long size) {
        return (size + 7) & ~7L;
    }
}
