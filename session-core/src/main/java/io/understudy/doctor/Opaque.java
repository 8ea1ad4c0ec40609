package io.understudy.doctor;

import io.understudy.codec.classes.JdkValues;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Objects of the JDK that are not looked into: what they say of themselves is compared. */
final class Opaque {

    /** Without an equals of their own, but shown whole. */
    static final Set<String> BY_TEXT = Set.of(
            "java.lang.StringBuilder",
            "java.lang.StringBuffer",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong",
            "java.util.regex.Pattern");

    private Opaque() {}

    /**
     * Whether the copy differs in what the JDK knows of it. Of a class of the application's that extends one of the JDK's
     * the JDK's equals is asked, if the application's own did not replace it.
     */
    static boolean differs(Object original, Object copy) {
        if (BY_TEXT.contains(original.getClass().getName())) {
            return !original.toString().equals(copy.toString());
        }
        if (original instanceof Optional
                || original instanceof Map.Entry
                || original instanceof Collection
                || original instanceof Map
                || original instanceof Object[]) {
            return false; // Their equals is that of what they hold, which has its own turn.
        }
        Class<?> asked = ObjectGraph.declaring(original.getClass(), "equals", Object.class);
        return asked != Object.class
                && asked != Record.class
                && asked != Enum.class
                && JdkValues.ofJdk(asked)
                && !original.equals(copy);
    }
}
