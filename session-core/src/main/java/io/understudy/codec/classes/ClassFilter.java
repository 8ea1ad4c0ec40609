package io.understudy.codec.classes;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which classes an attribute may hold: one rule for what is encoded, for Kryo and for JDK streams. In this order:
 *
 * <ul>
 *   <li>what the setting {@code attributeFilter} rejects, or allows by its very name;
 *   <li>{@linkplain Gadgets known gadgets} not;
 *   <li>what a pattern of {@code attributeFilter} allows;
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
public final class ClassFilter {

    /** Nesting of objects in one attribute. */
    public static final int MAX_DEPTH = 256;

    /** What containers and this module's libraries are made of; not the APIs, whose objects applications keep. */
    private static final List<String> CONTAINER = List.of(
            "com.esotericsoftware.",
            "com.github.benmanes.caffeine.",
            "org.HdrHistogram.",
            "org.apache.catalina.",
            "org.apache.coyote.",
            "org.apache.jasper.",
            "org.apache.juli.",
            "org.apache.naming.",
            "org.apache.tomcat.",
            "org.eclipse.jetty.",
            "org.jgroups.",
            "org.objenesis.");

    /** Of those, what applications keep: expressions of pages. */
    private static final Set<String> OF_APPLICATIONS =
            Set.of("org.apache.jasper.el.JspMethodExpression", "org.apache.jasper.el.JspValueExpression");

    /** May be what a value puts in its own place, but is in no bytes: see {@link WrittenUrl}. */
    private static final Class<?> URL_TYPE = URL.class;

    private static final String ALLOWED = "";

    /** Behind the name of the class that made a lambda. */
    private static final String LAMBDA = "$$Lambda";

    private final Supplier<ClassLoader> application;
    private final Set<String> containerClasses;
    private final @Nullable ObjectInputFilter own;

    /** Which classes {@code attributeFilter} allows by their very names. */
    private final Set<String> named;

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
    public ClassFilter(Supplier<ClassLoader> application, Set<String> containerClasses, String own, ClassList list) {
        this.application = application;
        this.containerClasses = Set.copyOf(containerClasses);
        this.own = own.isEmpty() ? null : ObjectInputFilter.Config.createFilter(own);
        this.named = Arrays.stream(own.split(";"))
                .map(String::trim)
                .filter(pattern -> !pattern.startsWith("!") && !pattern.endsWith("*"))
                .map(pattern -> pattern.substring(pattern.indexOf('/') + 1))
                .collect(Collectors.toUnmodifiableSet());
        this.list = list;
    }

    /** Lets go of the application's classes. */
    public void close() {
        verdicts.clear();
        verdictsOnOrigin.clear();
        list.close();
    }

    /** Whether it wants to know what attributes hold. */
    public boolean learns() {
        return list.learns();
    }

    /** An attribute that holds objects of these classes was encoded. */
    public void met(Set<Class<?>> types) {
        list.met(types);
    }

    /** Why an attribute may not hold objects of this class; {@code null} if it may. */
    public @Nullable String objection(Class<?> type) {
        // The elements of an array of URLs are written as their parts, so the array is as harmless as these.
        return type.isArray() && judgedAs(type) == URL_TYPE
                ? objectionToOrigin(type)
                : cached(verdicts, type, this::judged);
    }

    /** Why bytes may not name a class, or an array of it, whatever class that is; {@code null} if they may. */
    public @Nullable String objectionToName(String className) {
        String name = Gadgets.element(className);
        return named.contains(name) ? null : Gadgets.objection(name);
    }

    /** @throws InvalidClassException if an attribute may not hold objects of a class of this name, whatever class that is */
    public void checkName(String className) throws InvalidClassException {
        String objection = objectionToName(className);
        if (objection != null) {
            throw new RefusedStreamClassException(objection, null);
        }
    }

    /** Whether an attribute may refer to the class of this name, which has no objects, by a {@link Class}. */
    public boolean mentioned(String className) {
        return Gadgets.mentioned(className);
    }

    /** @throws InvalidClassException if an attribute may not hold objects of this class */
    public void check(Class<?> type) throws InvalidClassException {
        String objection = objection(type);
        if (objection != null) {
            throw new RefusedStreamClassException(objection, null);
        }
    }

    /**
     * The same, but for the list: for what a class that may be there puts in its own place when it is read. The bytes don't
     * name it, so that it is not known when they are written.
     */
    public @Nullable String objectionToOrigin(Class<?> type) {
        return cached(verdictsOnOrigin, type, this::judgedByOrigin);
    }

    private static @Nullable String cached(
            Map<Class<?>, String> verdicts, Class<?> type, Function<Class<?>, String> judge) {
        Class<?> judged = judgedAs(type);
        String verdict = verdicts.get(judged);
        if (verdict == null) {
            verdict = judge.apply(judged);
            verdicts.put(judged, verdict);
        }
        return verdict.equals(ALLOWED) ? null : verdict;
    }

    /**
     * The class whose name decides: of an array that of its elements, of a lambda the class that made it. A setting
     * can't name a lambda's own class, and bytes name the other one.
     */
    public static Class<?> judgedAs(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        int end = element.isHidden() ? element.getName().indexOf(LAMBDA) : -1;
        try {
            return end < 0
                    ? element
                    : Class.forName(element.getName().substring(0, end), false, element.getClassLoader());
        } catch (ClassNotFoundException e) {
            return element;
        }
    }

    private String judged(Class<?> type) {
        String objection = objectionToOrigin(type);
        // JDK streams name the classes that it extends, so that Kryo's format must not let it pass either.
        for (Class<?> at = type; objection == null && (at == type || serializable(at)); at = at.getSuperclass()) {
            objection = objectionToName(at.getName());
        }
        if (objection == null) {
            objection = type == URL_TYPE ? objectionToUrl() : list.objection(type);
        }
        return objection == null ? ALLOWED : objection;
    }

    private static boolean serializable(@Nullable Class<?> type) {
        return type != null && Serializable.class.isAssignableFrom(type);
    }

    /** No pattern lets its own form in, which asks the network: {@code URLDNS} of ysoserial. */
    private @Nullable String objectionToUrl() {
        return named.contains(URL_TYPE.getName()) ? null : notOfApplication(URL_TYPE);
    }

    private Status setting(Class<?> type) {
        return own == null ? Status.UNDECIDED : own.checkInput(new Named(type));
    }

    private String judgedByOrigin(Class<?> type) {
        String name = type.getName();
        Status status = setting(type);
        if (status == Status.REJECTED) {
            return "the setting 'attributeFilter' rejects " + name;
        }
        if (Proxy.isProxyClass(type)) {
            return judgedByInterfaces(type);
        }
        String gadget = named.contains(name) ? null : Gadgets.objectionToResolved(type);
        if (gadget != null) {
            return gadget;
        }
        if (status == Status.ALLOWED || type.isPrimitive() || type == URL_TYPE || allowed(type)) {
            return ALLOWED;
        }
        return notOfApplication(type);
    }

    /** Its own name is another one in each JVM, so that no setting can mean it, and readers ask for its interfaces. */
    private String judgedByInterfaces(Class<?> proxy) {
        for (Class<?> each : proxy.getInterfaces()) {
            String objection = objectionToOrigin(each);
            if (objection == null) {
                objection = objectionToName(each.getName());
            }
            if (objection != null) {
                return objection;
            }
        }
        return ALLOWED;
    }

    /** The objection to a class that nothing allows. */
    public static String notOfApplication(Class<?> type) {
        String name = type.getName();
        return name + " is not a class of the application; the setting 'attributeFilter' can allow it: '" + name + "'";
    }

    private boolean allowed(Class<?> type) {
        if (JdkValues.ofJdk(type)) {
            return JdkValues.contains(type);
        }
        return ofApplication(type.getClassLoader())
                || containerClasses.contains(type.getName())
                || OF_APPLICATIONS.contains(type.getName())
                || Throwable.class.isAssignableFrom(type)
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
