package io.understudy.codec.streams;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The request, response and session that Vaadin keeps for a thread. Vaadin's session and UI clear them when they are
 * written or read, and put back a part (vaadin/flow#21392). A node reads a session of another node while Vaadin serves
 * its request, which would go on without {@code VaadinRequest.getCurrent()}.
 *
 * <p>Threads: one.
 */
public final class VaadinInstances {

    private static final Set<String> CLEARING =
            Set.of("com.vaadin.flow.server.VaadinSession", "com.vaadin.flow.component.UI");

    private static final String HOLDER = "com.vaadin.flow.internal.CurrentInstance";

    private @Nullable Object instances;
    private @Nullable Method restore;

    /** Keeps them, if the class is one that clears them. Call it before the stream has an object of the class. */
    public void meet(Class<?> type) {
        if (restore != null || !CLEARING.contains(type.getName())) {
            return;
        }
        try {
            Class<?> holder = Class.forName(HOLDER, true, type.getClassLoader());
            instances = holder.getMethod("getInstances").invoke(null);
            restore = holder.getMethod("restoreInstances", Map.class);
        } catch (ReflectiveOperationException | LinkageError e) {
            // A version of Vaadin that keeps them in another way.
        }
    }

    /** Puts them back. */
    public void restore() {
        if (restore == null) {
            return;
        }
        try {
            restore.invoke(null, instances);
        } catch (ReflectiveOperationException e) {
            // Vaadin reports the missing request itself, when the application needs it.
        }
    }
}
