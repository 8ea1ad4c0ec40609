package io.understudy.codec.classes;

import java.io.InvalidObjectException;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Set;

/**
 * A handler of Spring in a JDK stream, as the proxies of an injected request, response or session have it. It is written as the
 * name of the factory that finds the object of the current request.
 *
 * <p>The JDK's own form may hold any factory ({@code Spring1} of ysoserial). So no bytes may name the handler: the reader
 * makes it, with one of four factories that only ask the current thread.
 *
 * @param factory the simple name of the factory's class
 */
public record WrittenHandler(String factory) implements Serializable {

    /** The class of the handler. */
    static final String HANDLER =
            "org.springframework.beans.factory.support.AutowireUtils$ObjectFactoryDelegatingInvocationHandler";

    private static final long serialVersionUID = 1L;

    private static final String OWNER = "org.springframework.web.context.support.WebApplicationContextUtils$";

    private static final Set<String> FACTORIES =
            Set.of("RequestObjectFactory", "ResponseObjectFactory", "SessionObjectFactory", "WebRequestObjectFactory");

    /** Whether objects of the class may be written so. */
    public static boolean isOne(Class<?> type) {
        return type.getName().equals(HANDLER);
    }

    /** What is written instead of an object: itself if it is no such handler, or has another factory. */
    public static Object insteadOf(Object object) {
        if (!isOne(object.getClass())) {
            return object;
        }
        try {
            Field field = object.getClass().getDeclaredField("objectFactory");
            field.setAccessible(true);
            String name = field.get(object).getClass().getName();
            String factory = name.startsWith(OWNER) ? name.substring(OWNER.length()) : "";
            return FACTORIES.contains(factory) ? new WrittenHandler(factory) : object;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return object; // Of another version of Spring, which the filter refuses.
        }
    }

    /**
     * The handler.
     *
     * @param loader of the application
     * @throws InvalidObjectException if the factory is another one, or Spring is not there
     */
    public Object handler(ClassLoader loader) throws InvalidObjectException {
        if (factory == null || !FACTORIES.contains(factory)) {
            throw new InvalidObjectException("expected one of " + FACTORIES + ", found " + factory);
        }
        try {
            Constructor<?> ofFactory =
                    Class.forName(OWNER + factory, false, loader).getDeclaredConstructor();
            ofFactory.setAccessible(true);
            Class<?> type = Class.forName(HANDLER, false, loader);
            Constructor<?> ofHandler = type.getDeclaredConstructor(
                    type.getDeclaredField("objectFactory").getType());
            ofHandler.setAccessible(true);
            return ofHandler.newInstance(ofFactory.newInstance());
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw (InvalidObjectException)
                    new InvalidObjectException("expected Spring's " + factory + ", found " + e).initCause(e);
        }
    }
}
