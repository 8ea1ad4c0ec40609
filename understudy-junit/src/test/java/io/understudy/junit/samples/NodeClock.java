package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;

/** Fault: times are those since the start of the node. The next node started later, so its clock is behind. */
@WebServlet(urlPatterns = "/*", loadOnStartup = 1)
public final class NodeClock extends Sample {

    private static final long STARTED = System.nanoTime();

    @Override
    String page(HttpServletRequest request) {
        long now = System.nanoTime() - STARTED;
        Long last = attribute(request, "last");
        request.getSession().setAttribute("last", now);
        return last == null ? "welcome" : now >= last ? "welcome back" : "you come from the future";
    }
}
