package io.understudy.doctor;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds a registry of sessions in the memory of each node. Such a registry counts the sessions of a user, and receives an
 * end only on the node that ends the session. So a user is locked out whose session ended on another node.
 *
 * <p>It knows Spring Security's {@code maximumSessions}: a filter chain has a {@code ConcurrentSessionFilter}, with a {@code
 * SessionRegistryImpl} unless the application gave it another registry. Spring's classes belong to the application, so this
 * class uses them by their names.
 *
 * <p>Threads: any; guarded by this. It looks only at beans that exist already, and creates none. It searches a context again
 * when the context has other beans than before, as an application may create beans late.
 */
final class SessionRegistries {

    static final String SPRING_REGISTRY = "org.springframework.security.core.session.SessionRegistryImpl";

    private static final String CONTEXT = "org.springframework.context.ApplicationContext";
    private static final String STATE = "org.springframework.context.ConfigurableApplicationContext";
    private static final String SINGLETONS = "org.springframework.beans.factory.config.SingletonBeanRegistry";
    private static final String CHAINS = "org.springframework.security.web.FilterChainProxy";
    private static final String DEBUG = "org.springframework.security.web.debug.DebugFilter";
    private static final String CHAIN = "org.springframework.security.web.SecurityFilterChain";
    private static final String FILTER = "org.springframework.security.web.session.ConcurrentSessionFilter";
    private static final String PROXY = "org.springframework.aop.framework.Advised";
    private static final String TARGET = "org.springframework.aop.TargetSource";

    private final Supplier<? extends Collection<?>> contextAttributes;

    /** A context, which the application may replace, and how many beans it had at its last search. */
    private record Searched(WeakReference<Object> context, Object beans) {}

    private final List<Searched> searched = new ArrayList<>();

    private boolean found;

    /** @param contextAttributes the values of the attributes of the application's servlet context */
    SessionRegistries(Supplier<? extends Collection<?>> contextAttributes) {
        this.contextAttributes = contextAttributes;
    }

    /**
     * Whether a filter chain counts sessions in this node's memory. It is {@code true} once; later calls do not search.
     *
     * @throws ReflectiveOperationException if Spring's classes are others than this class knows
     * @throws IllegalStateException if a method of Spring's classes fails
     */
    synchronized boolean found() throws ReflectiveOperationException {
        if (found) {
            return false;
        }
        for (Object attribute : contextAttributes.get()) {
            Object context = attribute;
            while (context != null && is(context, CONTEXT)) {
                if (countsInMemory(context)) {
                    found = true;
                    return true;
                }
                context = call(context, CONTEXT, "getParent");
            }
        }
        return false;
    }

    private boolean countsInMemory(Object context) throws ReflectiveOperationException {
        if (is(context, STATE) && !Boolean.TRUE.equals(call(context, STATE, "isActive"))) {
            return false; // It has no beans yet, or no longer.
        }
        Object beans = call(context, CONTEXT, "getAutowireCapableBeanFactory");
        if (beans == null || !is(beans, SINGLETONS)) {
            return false;
        }
        Object count = Objects.requireNonNull(call(beans, SINGLETONS, "getSingletonCount"));
        if (isSearched(context, count)) {
            return false;
        }
        for (String name : (String[]) Objects.requireNonNull(call(beans, SINGLETONS, "getSingletonNames"))) {
            // The first question keeps Spring from an early reference to a bean that another thread is creating.
            if (Boolean.TRUE.equals(call(beans, SINGLETONS, "containsSingleton", name))
                    && chainsCountInMemory(call(beans, SINGLETONS, "getSingleton", name))) {
                return true;
            }
        }
        return false;
    }

    /** Whether it was searched with so many beans before; from now on it was. */
    private boolean isSearched(Object context, Object beans) {
        boolean same = searched.stream()
                .anyMatch(
                        each -> each.context().refersTo(context) && each.beans().equals(beans));
        searched.removeIf(
                each -> each.context().refersTo(null) || each.context().refersTo(context));
        searched.add(new Searched(new WeakReference<>(context), beans));
        return same;
    }

    private static boolean chainsCountInMemory(@Nullable Object bean) throws ReflectiveOperationException {
        Object chains = bean != null && is(bean, DEBUG) ? call(bean, DEBUG, "getFilterChainProxy") : bean;
        if (chains == null || !is(chains, CHAINS)) {
            return false;
        }
        for (Object chain : elements(call(chains, CHAINS, "getFilterChains"))) {
            for (Object filter : elements(call(chain, CHAIN, "getFilters"))) {
                Object registry = is(filter, FILTER) ? registry(filter) : null;
                if (registry != null && isInMemory(registry)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Collection<?> elements(@Nullable Object collection) {
        return (Collection<?>) Objects.requireNonNull(collection);
    }

    private static @Nullable Object registry(Object filter) throws ReflectiveOperationException {
        Object proxied = withoutProxy(filter);
        Field registry = type(proxied, FILTER).getDeclaredField("sessionRegistry");
        registry.setAccessible(true);
        Object value = registry.get(proxied);
        return value == null ? null : withoutProxy(value);
    }

    /** An application may give the class maps of a data grid, or override how it counts: then the nodes may share it. */
    private static boolean isInMemory(Object registry) throws ReflectiveOperationException {
        if (!is(registry, SPRING_REGISTRY)) {
            return false;
        }
        Class<?> spring = type(registry, SPRING_REGISTRY);
        for (Field field : spring.getDeclaredFields()) {
            if (Map.class.isAssignableFrom(field.getType())) {
                field.setAccessible(true);
                Object map = field.get(registry);
                if (map != null && map.getClass().getClassLoader() != null) {
                    return false; // No map of the JDK.
                }
            }
        }
        return registry.getClass()
                .getMethod("getAllSessions", Object.class, boolean.class)
                .getDeclaringClass()
                .equals(spring);
    }

    private static Object withoutProxy(Object bean) throws ReflectiveOperationException {
        if (!is(bean, PROXY)) {
            return bean;
        }
        Object source = Objects.requireNonNull(call(bean, PROXY, "getTargetSource"));
        // Another source may create the bean.
        Object target =
                Boolean.TRUE.equals(call(source, TARGET, "isStatic")) ? call(source, TARGET, "getTarget") : null;
        return target == null ? bean : withoutProxy(target);
    }

    /** Calls a method of this class or interface of the object: its own class may have signatures that can't be loaded. */
    private static @Nullable Object call(Object target, String type, String method, String... arguments)
            throws ReflectiveOperationException {
        Class<?>[] parameters = new Class<?>[arguments.length];
        Arrays.fill(parameters, String.class);
        try {
            return type(target, type).getMethod(method, parameters).invoke(target, (Object[]) arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(type + "." + method + " failed: " + cause, cause);
        }
    }

    private static boolean is(Object object, String name) {
        return find(object.getClass(), name) != null;
    }

    private static Class<?> type(Object object, String name) throws ClassNotFoundException {
        Class<?> type = find(object.getClass(), name);
        if (type == null) {
            throw new ClassNotFoundException(
                    "expected a " + name + ", got a " + object.getClass().getName());
        }
        return type;
    }

    /** The class itself, a superclass or an interface of this name, in whatever class loader. */
    private static @Nullable Class<?> find(Class<?> type, String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.getName().equals(name)) {
                return at;
            }
            for (Class<?> implemented : at.getInterfaces()) {
                Class<?> found = find(implemented, name);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }
}
