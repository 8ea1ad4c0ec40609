package io.understudy.codec;

import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.FaithfulTypes;
import io.understudy.codec.classes.WrittenHandler;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all is in the way of a value of which one class was refused: a stream that goes on after a refusal. The bytes are
 * thrown away.
 *
 * <p>Threads: one.
 */
final class RefusedClasses extends ObjectOutputStream {

    private final ClassFilter filter;
    private final Set<Class<?>> refused = new LinkedHashSet<>();
    private final Set<String> others = new LinkedHashSet<>();

    private RefusedClasses(BoundedOutput out, ClassFilter filter) throws IOException {
        super(out);
        this.filter = filter;
        enableReplaceObject(true);
    }

    /**
     * In words, with what the setting has to be, in one line that can be pasted; {@code null} if nothing was found.
     *
     * @param most bytes of the value that are looked at
     */
    static @Nullable String of(Object value, ClassFilter filter, int most) {
        try (RefusedClasses stream = new RefusedClasses(new BoundedOutput(most), filter)) {
            stream.look(value);
            return stream.told();
        } catch (IOException e) {
            return null;
        }
    }

    @SuppressWarnings("EmptyCatch") // What was met before is told.
    private void look(Object value) {
        try {
            writeObject(value);
        } catch (Throwable e) { // Too large, or from the application's classes.
            if (EncodingFailure.fatal(e)) {
                throw (Error) e;
            }
        }
    }

    private @Nullable String told() {
        List<String> reasons = new ArrayList<>();
        List<String> names = refused.stream().map(Class::getName).toList();
        if (!names.isEmpty()) {
            reasons.add(String.join(", ", names)
                    + (names.size() == 1 ? " is not a class" : " are not classes")
                    + " of the application; the setting 'attributeFilter' can allow "
                    + (names.size() == 1 ? "it: '" : "them: '")
                    + String.join(";", names)
                    + "'");
        }
        reasons.addAll(others);
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    @Override
    protected @Nullable Object replaceObject(Object object) {
        if (object instanceof URL || object instanceof Class || WrittenHandler.insteadOf(object) != object) {
            return null;
        }
        if (!(object instanceof Serializable)
                && !FaithfulTypes.JDK.contains(object.getClass().getName())) {
            others.add(NotReplicableException.notSerializable(object.getClass().getName()));
        }
        return object instanceof Serializable ? object : null;
    }

    @Override
    protected void annotateClass(Class<?> type) {
        if (!type.isInterface() || !filter.mentioned(type.getName())) {
            judge(type);
        }
    }

    private void judge(Class<?> type) {
        String objection = filter.objection(type);
        if (objection != null && objection.equals(ClassFilter.notOfApplication(type))) {
            refused.add(type);
        } else if (objection != null) {
            others.add(objection);
        }
    }

    @Override
    protected void annotateProxyClass(Class<?> type) {
        for (Class<?> each : type.getInterfaces()) {
            judge(each);
        }
    }
}
