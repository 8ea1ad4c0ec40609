package io.understudy.contract;

import io.understudy.httpserver.WebRequest;
import io.understudy.session.adapter.BlockingSession;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A request of the smallest adapter, as the tasks of the contract ask for it. */
final class ServletView {

    /** The application's, of which the cases ask only whether it is the same. */
    static final ServletContext CONTEXT = view(ServletContext.class, (name, arguments) -> {
        throw new UnsupportedOperationException(name);
    });

    /** The methods of a view. */
    private interface Methods {
        @Nullable
        Object call(String name, Object[] arguments) throws Exception;
    }

    private final WebRequest web;

    ServletView(WebRequest web) {
        this.web = web;
    }

    HttpServletRequest request() {
        return view(HttpServletRequest.class, this::ofRequest);
    }

    /** Its writer's text is in the body when the writer is flushed. */
    HttpServletResponse response(PrintWriter writer) {
        return view(HttpServletResponse.class, (name, arguments) -> {
            if (name.equals("getWriter")) {
                return writer;
            }
            throw new UnsupportedOperationException(name);
        });
    }

    PrintWriter writer() {
        return new PrintWriter(new OutputStreamWriter(web.body(), StandardCharsets.UTF_8));
    }

    private @Nullable Object ofRequest(String name, Object[] arguments) {
        return switch (name) {
            case "getMethod" -> web.http().getRequestMethod();
            case "getServletPath" -> Tasks.PATH;
            case "getPathInfo" -> web.path().substring(Tasks.PATH.length());
            case "getRequestURI" -> web.http().getRequestURI().getPath();
            case "getLocalPort" -> web.http().getLocalAddress().getPort();
            case "getParameter" -> parameter((String) arguments[0]);
            case "getAttribute" -> web.attribute((String) arguments[0]);
            case "setAttribute" -> {
                web.attribute((String) arguments[0], arguments[1]);
                yield null;
            }
            case "getServletContext" -> CONTEXT;
            case "getSession" -> session(web.session(arguments.length == 0 || (Boolean) arguments[0]));
            case "changeSessionId" -> web.sessions().changeId();
            case "getRequestedSessionId" -> web.requestedId();
            case "isRequestedSessionIdValid" -> {
                BlockingSession session = web.session(false);
                yield session != null && session.live().id().equals(web.requestedId());
            }
            default -> throw new UnsupportedOperationException(name);
        };
    }

    private static @Nullable HttpSession session(@Nullable BlockingSession session) {
        return session == null ? null : new SessionView(session, CONTEXT);
    }

    private @Nullable String parameter(String name) {
        String query = web.http().getRequestURI().getQuery();
        return query == null
                ? null
                : Stream.of(query.split("&"))
                        .filter(each -> each.startsWith(name + "="))
                        .map(each -> each.substring(name.length() + 1))
                        .findFirst()
                        .orElse(null);
    }

    private static <T> T view(Class<T> type, Methods methods) {
        return type.cast(Proxy.newProxyInstance(
                ServletView.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, given) -> switch (method.getName()) {
                    case "equals" -> proxy == given[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "toString" -> type.getSimpleName();
                    default -> methods.call(method.getName(), given == null ? new Object[0] : given);
                }));
    }
}
