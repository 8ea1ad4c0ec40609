package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * A value for a field or component whose type has changed. Numbers keep their value, whatever their type: a whole number fits every
 * whole type that is large enough for it, and what has no more digits than the type can hold fits a floating-point one. A
 * character is no number, and nothing becomes a text.
 */
final class Widening {

    private Widening() {}

    /**
     * The value as one of that type.
     *
     * @param owner has the field or component {@code name}
     * @throws KryoException if it is none
     */
    static @Nullable Object fit(@Nullable Object value, Class<?> type, Class<?> owner, String name) {
        Object fitting = value == null
                ? null
                : fitting(value, MethodType.methodType(type).wrap().returnType());
        if (fitting == null && (value != null || type.isPrimitive())) {
            throw new KryoException(owner.getName() + "." + name + ": expected " + type.getTypeName() + ", found "
                    + (value == null ? "null" : value.getClass().getTypeName() + " with a value that is none"));
        }
        return fitting;
    }

    private static @Nullable Object fitting(Object value, Class<?> type) {
        if (type.isInstance(value)) {
            return value;
        }
        boolean small = value instanceof Byte || value instanceof Short;
        if (small || value instanceof Integer || value instanceof Long) {
            long number = ((Number) value).longValue();
            if (type == Double.class && !(value instanceof Long)) {
                return (double) number;
            }
            return type == Float.class && small ? (Object) (float) number : whole(number, type);
        }
        return value instanceof Float number && type == Double.class ? (Object) number.doubleValue() : null;
    }

    private static @Nullable Object whole(long number, Class<?> type) {
        if (type == Long.class) {
            return number;
        } else if (type == Integer.class && number == (int) number) {
            return (int) number;
        } else if (type == Short.class && number == (short) number) {
            return (short) number;
        } else if (type == Byte.class && number == (byte) number) {
            return (byte) number;
        }
        return null;
    }
}
