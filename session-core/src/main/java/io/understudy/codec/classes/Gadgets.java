package io.understudy.codec.classes;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classes known for turning deserialization into code execution: from the collections ysoserial and marshalsec and what was published
 * since. Of each chain a {@linkplain GadgetNames name} is here that it can't do without, and that nobody keeps in a session. Where a
 * package also holds values, either its gadgets are named class by class, or its values are. A name is judged before anybody
 * loads the class.
 *
 * <p>Threads: any; stateless.
 */
final class Gadgets {

    private static final String DANGER =
            " is known for turning deserialization into code execution: only its own name in 'attributeFilter' allows"
                    + " it, no pattern";

    /** Of these packages of the JDK exceptions are values, unless they are refused by their own names. */
    private static final List<String> WITH_EXCEPTIONS =
            List.of("java.rmi.", "javax.imageio.", "javax.naming.", "javax.script.", "javax.swing.");

    /**
     * Whatever class is one of these: pools and drivers connect to where the bytes say, templates are byte code, and a bean
     * factory that bytes make returns beans of theirs to what asks the application's own.
     */
    static final Set<String> KINDS = Set.of(
            "javax.sql.CommonDataSource",
            "javax.sql.rowset.JdbcRowSet",
            "javax.xml.transform.Templates",
            "org.springframework.beans.factory.BeanFactory");

    private static final String FACTORIES = "org.springframework.beans.factory.BeanFactory";

    private static final String BEAN_FACTORY = "org.springframework.beans.factory.support.DefaultListableBeanFactory";

    /** Types of parameters, by which Spring finds the dependency of a constructor or method. */
    private static final Set<String> MENTIONED = Set.of(
            "org.springframework.beans.factory.ObjectFactory", "org.springframework.beans.factory.ObjectProvider");

    /**
     * What a value puts in its own place when it is read: {@code SerializedBeanFactoryReference} becomes the application's own
     * bean factory, {@link WrittenHandler} a handler. Bytes can't name it.
     */
    private static final Set<String> RESOLVED = Set.of(BEAN_FACTORY, WrittenHandler.HANDLER);

    private Gadgets() {}

    /** Why a class of this name may not be in bytes; {@code null} if it may. */
    static @Nullable String objection(String name) {
        return known(name) ? name + DANGER : null;
    }

    /** The same of a class that is there. */
    static @Nullable String objection(Class<?> type) {
        String objection = objection(type.getName());
        String kind = objection == null ? kind(type) : null;
        return kind == null ? objection : type.getName() + " is a " + kind + ", which" + DANGER;
    }

    /** The same of what an object that bytes name puts in its own place. */
    static @Nullable String objectionToResolved(Class<?> type) {
        // Bytes can make no object of a class that is not serializable: it is the application's own.
        boolean own = !Serializable.class.isAssignableFrom(type)
                && objection(type.getName()) == null
                && FACTORIES.equals(kind(type));
        return own || RESOLVED.contains(type.getName()) || mentioned(type.getName()) ? null : objection(type);
    }

    /** Whether bytes may refer to the class of this name, but to no object of it, and no proxy. */
    static boolean mentioned(String name) {
        return MENTIONED.contains(name);
    }

    /** Of a name as {@link Class#getName} has it: {@code [[Lcom.acme.Cart;}. */
    static String element(String className) {
        int dimensions = 0;
        while (dimensions < className.length() && className.charAt(dimensions) == '[') {
            dimensions++;
        }
        boolean objects = dimensions > 0 && className.startsWith("L", dimensions) && className.endsWith(";");
        return objects ? className.substring(dimensions + 1, className.length() - 1) : className;
    }

    private static boolean known(String name) {
        if (GadgetNames.VALUES.contains(name) || GadgetNames.REFUSED.contains(name)) {
            return GadgetNames.REFUSED.contains(name);
        }
        if (name.endsWith("Exception") && WITH_EXCEPTIONS.stream().anyMatch(name::startsWith)) {
            return false;
        }
        for (int at = name.length() - 1; at > 0; at--) {
            char each = name.charAt(at);
            String above = each == '.' ? name.substring(0, at + 1) : each == '$' ? name.substring(0, at) : "";
            if (GadgetNames.VALUES.contains(above)) {
                return false;
            }
            if (GadgetNames.REFUSED.contains(above)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String kind(@Nullable Class<?> type) {
        for (Class<?> at = type; at != null && !at.getName().equals(BEAN_FACTORY); at = at.getSuperclass()) {
            if (KINDS.contains(at.getName())) {
                return at.getName();
            }
            for (Class<?> each : at.getInterfaces()) {
                String kind = kind(each);
                if (kind != null) {
                    return kind;
                }
            }
        }
        return null;
    }
}
