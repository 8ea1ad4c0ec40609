package io.understudy.codec;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Currency;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which values can never change after they were made. */
public final class Immutables {

    /** How deep records in records are looked into. */
    private static final int MAX_DEPTH = 8;

    private static final Set<Class<?>> TYPES = Set.of(
            String.class,
            Boolean.class,
            Byte.class,
            Character.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            BigDecimal.class,
            BigInteger.class,
            UUID.class,
            URI.class,
            Currency.class,
            Locale.class,
            Class.class);

    private Immutables() {}

    /** Whether it, and all it consists of, can never change. */
    public static boolean immutable(@Nullable Object value) {
        return immutable(value, 0);
    }

    private static boolean immutable(@Nullable Object value, int depth) {
        if (value == null || TYPES.contains(value.getClass()) || value instanceof Enum) {
            return true;
        }
        Class<?> type = value.getClass();
        if (type.getPackageName().equals("java.time")) {
            return true;
        }
        if (!type.isRecord() || depth == MAX_DEPTH) {
            return false;
        }
        for (RecordComponent component : type.getRecordComponents()) {
            if (!component.getType().isPrimitive() && !immutable(componentOf(value, component), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    /** The component's value; a plain object, which counts as mutable, if it can't be read. */
    private static @Nullable Object componentOf(Object value, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return new Object();
        }
    }
}
