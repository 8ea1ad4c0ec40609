package io.understudy.codec.streams;

import io.understudy.codec.classes.FaithfulTypes;
import java.io.Externalizable;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.util.Arrays;
import java.util.List;

/**
 * Classes that Spring generates as proxies of an application's: {@code Cart$$SpringCGLIB$$0}. Spring numbers their
 * methods in the order in which the JVM lists those of the class, and each run of a JVM may list them in another one.
 * The {@code serialVersionUID} is computed from the names of these methods, so it may differ between two nodes with the
 * same classes.
 */
final class SpringProxies {

    private static final String MARK = "$$SpringCGLIB$$";

    /** The interceptors before this one have one meaning in all proxies. From here on each is one method's, by its number. */
    private static final String BY_NUMBER = "CGLIB$CALLBACK_7";

    private SpringProxies() {}

    /** Whether a class is one, by its name. */
    static boolean isOne(String className) {
        return className.contains(MARK);
    }

    /**
     * Whether the bytes of one hold what one here needs, whatever its {@code serialVersionUID} is.
     *
     * @param written the class as its writer had it
     * @param here the class of that name on this node
     */
    static boolean readAlike(ObjectStreamClass written, Class<?> here) {
        ObjectStreamClass own = ObjectStreamClass.lookup(here);
        return own != null
                && !Externalizable.class.isAssignableFrom(here)
                && !FaithfulTypes.readsItself(here)
                && !FaithfulTypes.writesItself(here)
                && own.getField(BY_NUMBER) == null
                && fields(own).equals(fields(written));
    }

    private static List<String> fields(ObjectStreamClass type) {
        return Arrays.stream(type.getFields()).map(ObjectStreamField::toString).toList();
    }
}
