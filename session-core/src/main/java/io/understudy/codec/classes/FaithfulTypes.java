package io.understudy.codec.classes;

import io.understudy.codec.kryo.KryoFactory;
import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which classes Kryo restores exactly. Everything else goes through JDK serialization, which honours what the class's
 * author wrote for it.
 */
public final class FaithfulTypes {

    /**
     * JDK classes whose Kryo serializer, as {@link KryoFactory} sets it up, keeps their whole state. Not those that copy
     * on write: Kryo adds element by element, and each copies all before it. Nor times with a zone: Kryo leaves out which of
     * two offsets is meant in the hour that clocks go back.
     */
    public static final Set<String> JDK = Stream.concat(
                    Stream.of(
                            "java.lang.String java.lang.Boolean java.lang.Byte java.lang.Character java.lang.Short",
                            "java.lang.Integer java.lang.Long java.lang.Float java.lang.Double java.lang.Object",
                            "java.lang.StringBuilder java.lang.StringBuffer",
                            "java.math.BigDecimal java.math.BigInteger java.net.URI",
                            "java.util.ArrayList java.util.LinkedList java.util.Vector java.util.Stack",
                            "java.util.ArrayDeque java.util.HashSet java.util.LinkedHashSet java.util.TreeSet",
                            "java.util.HashMap java.util.TreeMap java.util.Hashtable java.util.IdentityHashMap",
                            "java.util.Arrays$ArrayList java.util.BitSet java.util.Currency java.util.Date",
                            "java.util.Optional java.util.OptionalInt java.util.OptionalLong",
                            "java.util.OptionalDouble java.util.UUID java.util.regex.Pattern java.sql.Timestamp",
                            "java.util.Collections$EmptyList java.util.Collections$EmptyMap",
                            "java.util.Collections$EmptySet java.util.Collections$SingletonList",
                            "java.util.Collections$SingletonMap java.util.Collections$SingletonSet",
                            "java.util.ImmutableCollections$List12 java.util.ImmutableCollections$ListN",
                            "java.util.ImmutableCollections$Set12 java.util.ImmutableCollections$SetN",
                            "java.util.ImmutableCollections$Map1 java.util.ImmutableCollections$MapN",
                            "java.util.concurrent.ConcurrentHashMap java.util.concurrent.ConcurrentLinkedQueue",
                            "java.util.concurrent.ConcurrentLinkedDeque",
                            "java.util.concurrent.atomic.AtomicInteger java.util.concurrent.atomic.AtomicLong",
                            "java.util.concurrent.atomic.AtomicBoolean",
                            "java.util.concurrent.atomic.AtomicReference"),
                    Stream.of(
                            "java.time.Instant java.time.LocalDate java.time.LocalTime java.time.LocalDateTime",
                            "java.time.OffsetDateTime java.time.OffsetTime",
                            "java.time.ZoneOffset java.time.Year java.time.YearMonth java.time.MonthDay",
                            "java.time.Duration java.time.Period"))
            .flatMap(line -> Arrays.stream(line.split(" ")))
            .collect(Collectors.toUnmodifiableSet());

    private static final List<String> HOOKS = List.of("writeReplace", "readResolve");

    private FaithfulTypes() {}

    /** Why Kryo may not restore this class exactly; {@code null} if it does. */
    public static @Nullable String objection(Class<?> type) {
        if (type.isPrimitive() || JDK.contains(type.getName())) {
            return null;
        }
        if (type.isArray()) {
            return objection(type.getComponentType());
        }
        if (type.isEnum() || Enum.class.isAssignableFrom(type)) {
            return null;
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return null; // The declared type of an array or field; what it holds is judged by its own class.
        }
        if (Proxy.isProxyClass(type) || type.isHidden() || type.isSynthetic()) {
            return "is a proxy or generated class";
        }
        if (type.getName().startsWith("java.") || type.getName().startsWith("javax.")) {
            return "is a JDK class that Kryo does not restore exactly";
        }
        if (!Serializable.class.isAssignableFrom(type)) {
            return "does not implement java.io.Serializable";
        }
        if (Externalizable.class.isAssignableFrom(type)
                || Collection.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type)) {
            return "has a serialized form of its own";
        }
        return objectionInHierarchy(type);
    }

    private static @Nullable String objectionInHierarchy(Class<?> type) {
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            if (at == Record.class) {
                return null;
            }
            if (at.getName().startsWith("java.")) {
                return "extends a JDK class with state";
            }
            if (writesItself(at)
                    || readsItself(at)
                    || declares(at, "readObjectNoData")
                    || HOOKS.stream().anyMatch(hook -> declares(type, hook) || declaresUp(type, hook))) {
                return "has serialization methods of its own";
            }
            if (Arrays.stream(at.getDeclaredFields()).anyMatch(FaithfulTypes::outerInstance)) {
                return "is an inner class with an outer instance";
            }
            if (!Serializable.class.isAssignableFrom(at)) {
                return "extends " + at.getName() + ", which does not implement java.io.Serializable";
            }
        }
        return null;
    }

    public static boolean writesItself(Class<?> type) {
        return declares(type, "writeObject", ObjectOutputStream.class);
    }

    public static boolean readsItself(Class<?> type) {
        return declares(type, "readObject", ObjectInputStream.class);
    }

    /** Whether it puts another object in its place when it is read. */
    public static boolean replacesItself(Class<?> type) {
        return declaresUp(type, "readResolve");
    }

    private static boolean declaresUp(Class<?> type, String method) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (declares(at, method)) {
                return true;
            }
        }
        return false;
    }

    private static boolean declares(Class<?> type, String method, Class<?>... parameters) {
        try {
            return type.getDeclaredMethod(method, parameters) != null;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static boolean outerInstance(Field field) {
        return field.isSynthetic() && field.getName().startsWith("this$");
    }
}
