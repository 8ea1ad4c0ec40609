package io.understudy.doctor;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds registries of sessions in the memory of each node. A registry counts the sessions of a user, and hears of an end
 * only on the node that ends the session. So a user is locked out whose session ended on another node.
 *
 * <p>It knows Spring Security's {@code maximumSessions}: a filter chain of it has a {@code ConcurrentSessionFilter}, with a
 * {@code SessionRegistryImpl} unless the application gave it a registry that the nodes share. Spring's classes are those of
 * the application, so they are used by their names.
 *
 * <p>Threads: any; guarded by this. It calls Spring's getters of beans that exist already, and creates none.
 */
final class SessionRegistries {

    static final String SPRING_REGISTRY = "org.springframework.security.core.session.SessionRegistryImpl";

    private static final String SPRING_CONTEXT = "org.springframework.context.ApplicationContext";
    private static final String SPRING_CHAINS = "org.springframework.security.web.FilterChainProxy";
    private static final String SPRING_FILTER = "org.springframework.security.web.session.ConcurrentSessionFilter";

    private final Supplier<? extends Collection<?>> contextAttributes;

    /** The application contexts that were searched, so that each is searched once; they live as long as the application. */
    private final List<Object> searched = new ArrayList<>();

    /** @param contextAttributes the values of the attributes of the application's servlet context */
    SessionRegistries(Supplier<? extends Collection<?>> contextAttributes) {
        this.contextAttributes = contextAttributes;
    }

    /** Whether a filter chain that was not looked at before counts sessions in this node's memory. */
    synchronized boolean found() throws ReflectiveOperationException {
        boolean found = false;
        for (Object attribute : contextAttributes.get()) {
            if (attribute != null && !isSearched(attribute) && is(attribute, SPRING_CONTEXT)) {
                searched.add(attribute);
                found |= countsInMemory(attribute);
            }
        }
        return found;
    }

    @SuppressWarnings("ReferenceEquality") // The equals of an application's object is not asked.
    private boolean isSearched(Object attribute) {
        return searched.stream().anyMatch(before -> before == attribute);
    }

    private static boolean countsInMemory(Object context) throws ReflectiveOperationException {
        Class<?> chains = visible(context, SPRING_CHAINS);
        if (chains == null) {
            return false;
        }
        Method beans = context.getClass().getMethod("getBeansOfType", Class.class, boolean.class, boolean.class);
        Map<?, ?> proxies = (Map<?, ?>) accessible(beans).invoke(context, chains, false, false);
        for (Object proxy : proxies.values()) {
            for (Object chain : (Collection<?>) call(proxy, "getFilterChains")) {
                for (Object filter : (Collection<?>) call(chain, "getFilters")) {
                    if (is(filter, SPRING_FILTER) && is(registry(filter), SPRING_REGISTRY)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static @Nullable Class<?> visible(Object context, String name) {
        try {
            return Class.forName(name, false, context.getClass().getClassLoader());
        } catch (ClassNotFoundException e) {
            return null; // An application without Spring Security.
        }
    }

    private static Object call(Object target, String getter) throws ReflectiveOperationException {
        return accessible(target.getClass().getMethod(getter)).invoke(target);
    }

    /** Public, but often of a class that is not. */
    private static Method accessible(Method method) {
        boolean unused = method.trySetAccessible();
        return method;
    }

    private static @Nullable Object registry(Object filter) throws ReflectiveOperationException {
        for (Class<?> type = filter.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(SPRING_FILTER)) {
                Field registry = type.getDeclaredField("sessionRegistry");
                registry.setAccessible(true);
                return registry.get(filter);
            }
        }
        return null;
    }

    /** Whether the object's class, a superclass or an interface has this name, in whatever class loader. */
    private static boolean is(@Nullable Object object, String name) {
        for (Class<?> type = object == null ? null : object.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(name) || implementsInterface(type, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean implementsInterface(Class<?> type, String name) {
        for (Class<?> implemented : type.getInterfaces()) {
            if (implemented.getName().equals(name) || implementsInterface(implemented, name)) {
                return true;
            }
        }
        return false;
    }
}
