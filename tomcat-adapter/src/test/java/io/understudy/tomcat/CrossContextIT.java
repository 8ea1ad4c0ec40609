package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                .on(
                        "/put",
                        (request, response) -> request.getSession()
                                .setAttribute(request.getParameter("name"), request.getParameter("value")))
                .on(
                        "/show",
                        (request, response) -> response.getWriter()
                                .print(request.getSession().getAttribute(request.getParameter("name"))))
                .on("/async", (request, response) -> {
                    Object read = request.getSession().getAttribute(request.getParameter("name"));
                    AsyncContext async = request.startAsync();
                    response.getWriter().print(read);
                    async.start(async::complete);
                })
                .on("/dispatch", (request, response) -> {
                    ServletContext other = request.getServletContext().getContext("/other");
                    AsyncContext async = request.startAsync();
                    async.start(() -> async.dispatch(other, request.getParameter("to")));
                })
                .on("/forward-later", (request, response) -> {
                    ServletContext other = request.getServletContext().getContext("/other");
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        try {
                            other.getRequestDispatcher(request.getParameter("to"))
                                    .forward(async.getRequest(), async.getResponse());
                        } catch (IOException | ServletException e) {
                            throw new IllegalStateException(e);
                        } finally {
                            async.complete();
                        }
                    });
                })
                .on("/late", (request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        HttpSession unused = request.getSession();
                        async.complete();
                    });
                })
                .on("/back", (request, response) -> {
                    request.getSession();
                    ServletContext shop = request.getServletContext().getContext("/shop");
                    shop.getRequestDispatcher("/async").forward(request, response);
                })
                .on("/include-async", (request, response) -> {
                    ServletContext other = request.getServletContext().getContext("/other");
                    other.getRequestDispatcher(request.getParameter("to")).include(request, response);
                    AsyncContext async = request.startAsync();
                    async.start(async::complete);
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

    private static void awaitUnused(String context, Browser browser) {
        Context deployed = (Context) nodes.get(0).host().findChild(context);
        ReplicatedSessions sessions = ((UnderstudyManager) deployed.getManager()).replicated();
        LiveSession session = Objects.requireNonNull(sessions.find(String.valueOf(browser.sessionId())));
        Await.that("no request uses " + session, () -> !session.inUse());
    }

    /** The requests that follow find what other nodes write, and the session may expire. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/include?to=/show",
                "/forward?to=/show",
                "/dispatch?to=/show",
                "/forward-later?to=/show",
                "/include-async?to=/show",
                "/forward?to=/async",
                "/forward?to=/back",
                "/include?to=/include-async%3Fto=/show"
            })
    void aDispatchedRequestEndsWhatItBegan(String path) {
        Browser browser = new Browser();
        browser.get(nodes.get(0), "/put?name=a&value=1");
        browser.get(nodes.get(0), "/forward?to=/put%3Fname=a%26value=1");
        for (int round = 0; round < 2; round++) {
            browser.get(nodes.get(0), path + "&name=a");
            awaitUnused("/other", browser);
            awaitUnused("/shop", browser);
        }
        assertEquals("1", browser.get(other(0), "/async?name=a"));
        browser.get(other(1), "/put?name=a&value=2");
        assertEquals("2", browser.get(other(0), "/show?name=a"));
        String unused = browser.get(other(0), "/late");
        awaitUnused("/other", browser);
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
