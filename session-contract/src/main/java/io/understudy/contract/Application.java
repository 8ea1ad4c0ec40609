package io.understudy.contract;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.util.EventListener;
import org.jspecify.annotations.Nullable;

/** The application that all nodes have: a servlet that runs a case's tasks, a filter that does so, and listeners. */
public final class Application {

    /** Its context path. */
    public static final String PATH = "/app";

    /** What the servlet is mapped to, which takes asynchronous requests. */
    public static final String SERVLET_MAPPING = Tasks.PATH + "/*";

    /** Where the servlet is, too: the page for {@link #ERROR_STATUS} and for exceptions of tasks. */
    public static final String ERROR_PAGE = "/error";

    public static final int ERROR_STATUS = 418;

    /** How long its sessions may be idle, in seconds. */
    public static final int INTERVAL_SECONDS = 1800;

    /** The parameter that names the task for the error page. */
    static final String ON_ERROR = "onError";

    /** The parameter that names the task that the filter runs when the servlet is done. */
    static final String AFTERWARDS = "afterwards";

    private final Tasks tasks;

    Application(Tasks tasks) {
        this.tasks = tasks;
    }

    public HttpServlet servlet() {
        return new TaskServlet(tasks);
    }

    /** For all requests, and for asynchronous ones. */
    public Filter filter() {
        return new TaskFilter(tasks);
    }

    /** To be added before the application starts. */
    public ServerEndpointConfig endpoint() {
        return SocketEndpoint.config(tasks);
    }

    public EventListener listener() {
        return new Listeners();
    }

    private static final class TaskServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final transient Tasks tasks;

        TaskServlet(Tasks tasks) {
            this.tasks = tasks;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            String path = path(request);
            if (path == null) {
                return; // A case that fails.
            }
            try {
                tasks.get(path).run(request, response);
            } catch (IOException | ServletException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServletException(e);
            }
        }

        /** An included page's own path is in an attribute; the request's stays that of the page around it. */
        private static @Nullable String path(HttpServletRequest request) {
            Object included = request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO);
            if (included != null) {
                return Tasks.PATH + included;
            }
            return request.getServletPath().equals(ERROR_PAGE)
                    ? request.getParameter(ON_ERROR)
                    : Tasks.PATH + request.getPathInfo();
        }
    }

    private record TaskFilter(Tasks tasks) implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
            String afterwards = request.getParameter(AFTERWARDS);
            if (afterwards == null) {
                return;
            }
            try {
                tasks.get(afterwards).run((HttpServletRequest) request, (HttpServletResponse) response);
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServletException(e);
            }
        }
    }
}
