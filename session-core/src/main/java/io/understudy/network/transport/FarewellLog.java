package io.understudy.network.transport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jgroups.logging.Log;
import org.jspecify.annotations.Nullable;

/**
 * The log of JGroups' connections, in which a farewell that could not be sent is no error: whoever it was for was gone first, as after each kill.
 *
 * <p>Threads: any.
 */
final class FarewellLog {

    /** In what TcpConnection says. */
    private static final String FAREWELL = "failed sending graceful close";

    private FarewellLog() {}

    static Log of(Log log) {
        return (Log) Proxy.newProxyInstance(
                FarewellLog.class.getClassLoader(),
                new Class<?>[] {Log.class},
                (proxy, method, arguments) -> call(log, method, arguments));
    }

    private static @Nullable Object call(Log log, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null
                && arguments.length == 2
                && method.getName().equals("error")
                && arguments[0] instanceof String format
                && format.contains(FAREWELL)
                && arguments[1] instanceof Object[] values) {
            log.debug(format, values);
            return null;
        }
        try {
            return method.invoke(log, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
