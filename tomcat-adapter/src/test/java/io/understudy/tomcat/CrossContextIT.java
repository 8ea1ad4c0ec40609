package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Browser;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.apache.catalina.core.StandardContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests that are dispatched to another application, which has a session of its own with the same id. */
@Tag("container")
class CrossContextIT {

    private static final int ROUNDS = 10;

    private static List<TomcatNode> nodes;

    @BeforeAll
    static void start() {
        nodes = TomcatNode.start(2, pages());
        nodes.forEach(node -> node.deploy("/other", "", pages()));
        nodes.forEach(TomcatNode::awaitReady);
    }

    @AfterAll
    static void stop() {
        nodes.forEach(TomcatNode::close);
    }

    private static Pages pages() {
        return new Pages()
                .with(CrossContextIT::open)
                .on("/set", (request, response) -> request.getSession().setAttribute(request.getParameter("name"), "1"))
                .on("/set-and-close", (request, response) -> {
                    request.getSession().setAttribute(request.getParameter("name"), "1");
                    response.getWriter().close();
                })
                .on("/names", (request, response) -> {
                    HttpSession session = request.getSession(false);
                    response.getWriter()
                            .print(
                                    session == null
                                            ? "none"
                                            : new TreeSet<>(Collections.list(session.getAttributeNames())));
                })
                .on("/forward", (request, response) -> {
                    ServletContext other = request.getServletContext().getContext("/other");
                    other.getRequestDispatcher(request.getParameter("to")).forward(request, response);
                })
                .on("/include", (request, response) -> {
                    ServletContext other = request.getServletContext().getContext("/other");
                    other.getRequestDispatcher(request.getParameter("to")).include(request, response);
                    request.getSession().setAttribute("after", "1");
                });
    }

    private static void open(StandardContext context) {
        context.setCrossContext(true);
    }

    /** The other application on this node. */
    private static Browser.Server other(int node) {
        return path -> nodes.get(node).uri("/").resolve("/other" + path);
    }

    private static void dispatched(String page, String to, String names) {
        for (int round = 0; round < ROUNDS; round++) {
            Browser browser = new Browser();
            int here = round % 2;
            int there = 1 - here;
            browser.get(nodes.get(here), "/set?name=a");
            for (String name : List.of("b", "c")) {
                browser.get(nodes.get(here), page + "?to=" + to + "&name=" + name);
                assertEquals(names, browser.get(nodes.get(there), "/names"));
            }
            assertEquals("[b, c]", browser.get(other(there), "/names"));
        }
    }

    @Test
    void aForwardReplicatesTheOtherSessionToo() {
        dispatched("/forward", "/set", "[a]");
    }

    @Test
    void aForwardWhoseTargetClosesTheResponseToo() {
        dispatched("/forward", "/set-and-close", "[a]");
    }

    @Test
    void anIncludeReplicatesBothSessions() {
        dispatched("/include", "/set", "[a, after]");
    }
}
