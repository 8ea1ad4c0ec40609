package io.understudy.junit.samples;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An application of one servlet, which answers each path with a line of text. */
abstract class Sample extends HttpServlet {

    @Override
    protected final void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().println(page(request));
    }

    abstract String page(HttpServletRequest request) throws IOException;

    /** The same without those that are sent elsewhere, or refused. */
    static String path(HttpServletRequest request) {
        String path = request.getPathInfo();
        return path == null ? "/" : path;
    }

    static String parameter(HttpServletRequest request, String name) {
        String value = request.getParameter(name);
        return value == null ? "nothing" : value;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As applications do it.
    static <T> @Nullable T attribute(HttpServletRequest request, String name) {
        return (T) request.getSession().getAttribute(name);
    }
}
