package io.understudy.codec.streams;

import java.io.InvalidClassException;
import java.io.ObjectStreamException;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * Advisors of Spring that find their advice in the bean factory, as those of {@code @Transactional} and {@code @Cacheable}. The
 * advice is not serialized, only the name of its bean. Spring's annotations configure advisors without that name, and a
 * copy of such an advisor fails at each call.
 */
final class SpringAdvisors {

    private static final String BASE = "org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor";

    private SpringAdvisors() {}

    /** Whether a class is one. */
    static boolean isOne(Class<?> type) {
        return base(type) != null;
    }

    private static @Nullable Class<?> base(Class<?> type) {
        Class<?> at = type;
        while (at != null && !at.getName().equals(BASE)) {
            at = at.getSuperclass();
        }
        return at;
    }

    /**
     * The advisor.
     *
     * @throws ObjectStreamException if its copy would not find the advice
     */
    static Object checked(Object advisor) throws ObjectStreamException {
        String type = advisor.getClass().getName();
        Class<?> base = base(advisor.getClass());
        if (base == null) {
            return advisor;
        }
        try {
            Field name = base.getDeclaredField("adviceBeanName");
            name.setAccessible(true);
            if (name.get(advisor) != null) {
                return advisor;
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw (ObjectStreamException)
                    new InvalidClassException(type, "its advice can't be found: " + e).initCause(e);
        }
        throw new InvalidClassException(
                type,
                "it has its advice without the name of a bean, and the advice is not serialized;"
                        + " move the advised methods to a bean that is not kept in sessions");
    }
}
