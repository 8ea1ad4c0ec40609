package io.understudy.contract;

import jakarta.servlet.http.HttpSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code HttpSession.Accessor}, which Servlet has since 6.1: the contract is compiled with 6.0. */
record Accessors(Object accessor) {

    /** Whether this container has it. */
    static boolean present() {
        return Arrays.stream(HttpSession.class.getMethods())
                .anyMatch(method -> method.getName().equals("getAccessor"));
    }

    static Accessors of(HttpSession session) throws Exception {
        Method get = HttpSession.class.getMethod("getAccessor");
        return new Accessors(get.invoke(session));
    }

    /** What an attribute is in an access of its own: within one it stays what it was when it was read first. */
    @Nullable
    Object get(String name) {
        AtomicReference<@Nullable Object> value = new AtomicReference<>();
        try {
            access(session -> value.set(session.getAttribute(name)));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return value.get();
    }

    /** Uses the session outside of any request. */
    void access(Consumer<HttpSession> use) throws Exception {
        Method access = Class.forName(
                        "jakarta.servlet.http.HttpSession$Accessor", true, HttpSession.class.getClassLoader())
                .getMethod("access", Consumer.class);
        try {
            access.invoke(accessor, use);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
