package io.understudy.codec;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is right when a value of one version of its classes is read by another one: every field has the value of the field with its
 * name, one that the writer did not have the default of its class, and one object stays one. Knows nothing of any format.
 */
final class ByNames {

    private record Slot(Field field, @Nullable Object value) {

        String name() {
            return field.getName();
        }

        boolean same(Slot other) {
            return name().equals(other.name())
                    && field.getDeclaringClass()
                            .getName()
                            .equals(other.field.getDeclaringClass().getName());
        }
    }

    private final IdentityHashMap<Object, Object> met = new IdentityHashMap<>();

    private ByNames() {}

    /** What is wrong with what was read; {@code null} if nothing is. */
    static @Nullable String wrong(Object written, Object read) {
        return new ByNames().compare("value", written, read);
    }

    private @Nullable String compare(String at, @Nullable Object written, @Nullable Object read) {
        if (written == null || read == null) {
            return written == read ? null : at + ": " + written + " became " + read;
        }
        if (written instanceof Number one && read instanceof Number other) {
            return equal(
                    at,
                    new BigDecimal(one.toString()).stripTrailingZeros(),
                    new BigDecimal(other.toString()).stripTrailingZeros());
        }
        if (written instanceof Enum<?> one && read instanceof Enum<?> other) {
            return equal(
                    at,
                    one.getDeclaringClass().getName() + one.name(),
                    other.getDeclaringClass().getName() + other.name());
        }
        if (scalar(written)) {
            return equal(at, written, read);
        }
        Object before = met.putIfAbsent(written, read);
        if (before != null) {
            return before == read ? null : at + ": one object became two";
        }
        List<Object> elements = elements(written);
        if (elements == null) {
            return written.getClass().getName().equals(read.getClass().getName())
                    ? fields(at, written, read)
                    : at + ": " + written.getClass() + " became " + read.getClass();
        }
        List<Object> others = elements(read);
        if (others == null || others.size() != elements.size()) {
            return at + ": " + elements + " became " + others;
        }
        return IntStream.range(0, elements.size())
                .mapToObj(i -> compare(at + "[" + i + "]", elements.get(i), others.get(i)))
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String equal(String at, Object written, Object read) {
        return written.equals(read) ? null : at + ": " + written + " became " + read;
    }

    private static boolean scalar(Object value) {
        return value.getClass().getName().startsWith("java.") && elements(value) == null;
    }

    private static @Nullable List<Object> elements(Object value) {
        if (value instanceof Map<?, ?> map) {
            List<Object> all = new ArrayList<>();
            sorted(map.keySet()).forEach(key -> {
                all.add(key);
                all.add(map.get(key));
            });
            return all;
        }
        if (value instanceof Optional<?> optional) {
            return new ArrayList<>(optional.stream().toList());
        }
        if (value instanceof Set<?> set) {
            return sorted(set);
        }
        if (value instanceof Collection<?> collection) {
            return new ArrayList<>(collection);
        }
        if (value.getClass().isArray()) {
            List<Object> all = new ArrayList<>();
            IntStream.range(0, Array.getLength(value)).forEach(i -> all.add(Array.get(value, i)));
            return all;
        }
        return null;
    }

    /** Keys have names, or are numbers and texts. */
    private static List<Object> sorted(Collection<?> keys) {
        List<Object> all = new ArrayList<>(keys);
        all.sort(Comparator.comparing(Object::toString));
        return all;
    }

    private @Nullable String fields(String at, Object written, Object read) {
        List<Slot> sources = slots(written);
        List<Slot> targets = slots(read);
        Object fresh = fresh(read.getClass());
        for (Slot target : targets) {
            List<Slot> matching = sources.stream().filter(target::same).toList();
            if (matching.isEmpty()) {
                matching = sources.stream()
                        .filter(source -> source.name().equals(target.name()))
                        .filter(source -> targets.stream().noneMatch(source::same))
                        .toList();
            }
            String path = at + "." + target.name();
            if (matching.size() > 1) {
                return path + ": nobody knows of which of two " + target.value();
            }
            String wrong = matching.isEmpty()
                    ? defaults(path, target, fresh)
                    : compare(path, matching.get(0).value(), target.value());
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private static @Nullable String defaults(String path, Slot target, @Nullable Object fresh) {
        Object zero = Array.get(Array.newInstance(target.field().getType(), 1), 0);
        Object initial = fresh == null ? zero : value(target.field(), fresh);
        boolean right =
                java.util.Objects.equals(target.value(), zero) || java.util.Objects.equals(target.value(), initial);
        return right
                ? null
                : path + ": unknown to the writer, " + target.value() + " and neither " + zero + " nor " + initial;
    }

    private static @Nullable Object fresh(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static List<Slot> slots(Object value) {
        List<Slot> slots = new ArrayList<>();
        for (Class<?> at = value.getClass(); !at.getName().startsWith("java."); at = at.getSuperclass()) {
            if (!Serializable.class.isAssignableFrom(at)) {
                continue; // Its fields are no part of what is serialized, as if they were transient.
            }
            for (Field field : at.getDeclaredFields()) {
                if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
                    slots.add(new Slot(field, value(field, value)));
                }
            }
        }
        return slots;
    }

    private static @Nullable Object value(Field field, Object of) {
        try {
            field.setAccessible(true);
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
