package io.understudy.codec.buffers;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
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

    private static final Object MUTABLE = new Object();

    /** Of a record what reads its components but the primitive ones. */
    private static final ClassValue<List<Method>> PARTS = new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
            List<Method> parts = new ArrayList<>();
            for (RecordComponent component : type.getRecordComponents()) {
                if (!component.getType().isPrimitive()) {
                    parts.add(readable(component.getAccessor()));
                }
            }
            return List.copyOf(parts);
        }

        private static Method readable(Method accessor) {
            try {
                accessor.setAccessible(true);
            } catch (RuntimeException e) {
                return accessor; // Which then fails.
            }
            return accessor;
        }
    };

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
        for (Method part : PARTS.get(type)) {
            if (!immutable(partOf(value, part), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    /** What can't be read counts as mutable. */
    private static @Nullable Object partOf(Object value, Method part) {
        try {
            return part.invoke(value);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return MUTABLE;
        }
    }
}
