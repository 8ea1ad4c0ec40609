package io.understudy.codec;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which classes an attribute may hold: one rule for what is encoded, for Kryo and for JDK streams. In this order:
 *
 * <ul>
 *   <li>{@linkplain Gadgets known gadgets} never;
 *   <li>what the setting {@code attributeFilter} names, or rejects;
 *   <li>of the JDK {@linkplain JdkValues values};
 *   <li>all classes of the web application's own loader;
 *   <li>classes of loaders that applications share, but not the container's, unless the container keeps
 *       objects of them in sessions;
 *   <li>of all these only what is in the application's {@linkplain ClassList list}, if it has one that is enforced; but
 *       the JDK's values need not be.
 * </ul>
 *
 * <p>Threads: any. Knows the application's classes until it is closed.
 */
final class ClassFilter {

    /** Nesting of objects in one attribute. */
    static final int MAX_DEPTH = 256;

    /** What containers and this module's libraries are made of. */
    private static final List<String> CONTAINER = List.of(
            "com.esotericsoftware.",
            "com.github.benmanes.caffeine.",
            "jakarta.",
            "org.HdrHistogram.",
            "org.apache.catalina.",
            "org.apache.coyote.",
            "org.apache.el.",
            "org.apache.jasper.",
            "org.apache.juli.",
            "org.apache.naming.",
            "org.apache.tomcat.",
            "org.eclipse.jetty.",
            "org.jgroups.",
            "org.objenesis.");

    private static final String ALLOWED = "";

    private final Supplier<ClassLoader> application;
    private final Set<String> containerClasses;
    private final @Nullable ObjectInputFilter own;
    private final ClassList list;
    private final Map<Class<?>, String> verdicts = new ConcurrentHashMap<>();
    private final Map<Class<?>, String> verdictsOnOrigin = new ConcurrentHashMap<>();

    /**
     * @param application the application's class loader; asked in request threads
     * @param containerClasses classes of the container whose objects it keeps in sessions, by name
     * @param own what the application allows and rejects, as {@link ObjectInputFilter.Config#createFilter} has it; may be
     *     empty
     * @param list is closed with this
     */
    ClassFilter(Supplier<ClassLoader> application, Set<String> containerClasses, String own, ClassList list) {
        this.application = application;
        this.containerClasses = Set.copyOf(containerClasses);
        this.own = own.isEmpty() ? null : ObjectInputFilter.Config.createFilter(own);
        this.list = list;
    }

    /** Lets go of the application's classes. */
    void close() {
        verdicts.clear();
        verdictsOnOrigin.clear();
        list.close();
    }

    /** Whether it is to be told what attributes hold. */
    boolean learns() {
        return list.learns();
    }

    /** An attribute that holds objects of these classes was encoded. */
    void met(Set<Class<?>> types) {
        list.met(types);
    }

    /** Why an attribute may not hold objects of this class; {@code null} if it may. */
    @Nullable
    String objection(Class<?> type) {
        return cached(verdicts, type, this::judged);
    }

    /** @throws InvalidClassException if an attribute may not hold objects of a class of this name, whatever class that is */
    static void checkName(String className) throws InvalidClassException {
        String objection = Gadgets.objection(className);
        if (objection != null) {
            throw new InvalidClassException(objection);
        }
    }

    /** @throws InvalidClassException if an attribute may not hold objects of this class */
    void check(Class<?> type) throws InvalidClassException {
        String objection = objection(type);
        if (objection != null) {
            throw new InvalidClassException(objection);
        }
    }

    /**
     * The same, but for the list: for what a class that may be there puts in its own place when it is read. The bytes don't
     * name it, so that it is not known when they are written.
     */
    @Nullable
    String objectionToOrigin(Class<?> type) {
        return cached(verdictsOnOrigin, type, this::judgedByOrigin);
    }

    private static @Nullable String cached(
            Map<Class<?>, String> verdicts, Class<?> type, Function<Class<?>, String> judge) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        String verdict = verdicts.get(element);
        if (verdict == null) {
            verdict = judge.apply(element);
            verdicts.put(element, verdict);
        }
        return verdict.equals(ALLOWED) ? null : verdict;
    }

    private String judged(Class<?> type) {
        String objection = objectionToOrigin(type);
        if (objection == null) {
            objection = list.objection(type);
        }
        return objection == null ? ALLOWED : objection;
    }

    private String judgedByOrigin(Class<?> type) {
        String gadget = Gadgets.objection(type);
        if (gadget != null) {
            return gadget;
        }
        String name = type.getName();
        Status status = own == null ? Status.UNDECIDED : own.checkInput(new Named(type));
        if (status == Status.REJECTED) {
            return "the setting 'attributeFilter' rejects " + name;
        }
        if (status == Status.ALLOWED || type.isPrimitive() || allowed(type)) {
            return ALLOWED;
        }
        return name + " is not a class of the application; the setting 'attributeFilter' can allow it: '" + name + "'";
    }

    private boolean allowed(Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            return Arrays.stream(type.getInterfaces()).allMatch(each -> objectionToOrigin(each) == null);
        }
        if (JdkValues.ofJdk(type)) {
            return JdkValues.contains(type);
        }
        return ofApplication(type.getClassLoader())
                || containerClasses.contains(type.getName())
                || CONTAINER.stream().noneMatch(type.getName()::startsWith);
    }

    /** Whether it is the application's loader, or one below, and not one that the container uses as well. */
    private boolean ofApplication(ClassLoader loader) {
        ClassLoader own = application.get();
        if (own == null || isAbove(own, ClassFilter.class.getClassLoader())) {
            return false;
        }
        return isAbove(own, loader);
    }

    private static boolean isAbove(ClassLoader loader, @Nullable ClassLoader below) {
        for (ClassLoader at = below; at != null; at = at.getParent()) {
            if (at == loader) {
                return true;
            }
        }
        return false;
    }

    /** A question about nothing but a class. */
    private record Named(Class<?> serialClass) implements ObjectInputFilter.FilterInfo {

        @Override
        public long arrayLength() {
            return -1;
        }

        @Override
        public long depth() {
            return 1;
        }

        @Override
        public long references() {
            return 1;
        }

        @Override
        public long streamBytes() {
            return 0;
        }
    }
}
