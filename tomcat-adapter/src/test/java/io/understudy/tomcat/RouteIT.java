package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Browser;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Engine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Load balancers that go by the route in the session cookie. */
@Tag("container")
class RouteIT {

    private final AtomicInteger started = new AtomicInteger();
    private final Browser browser = new Browser();
    private List<TomcatNode> nodes;

    @BeforeEach
    void start() {
        nodes = TomcatNode.start(
                2,
                new Pages()
                        .with(context -> ((Engine) context.getParent().getParent())
                                .setJvmRoute("route" + started.incrementAndGet()))
                        .on("/set", (request, response) -> request.getSession().setAttribute("name", "ann"))
                        .on("/rotate", (request, response) -> request.changeSessionId())
                        .on(
                                "/who",
                                (request, response) -> response.getWriter()
                                        .print(request.getSession().getAttribute("name") + " "
                                                + request.getSession().getId())));
    }

    @AfterEach
    void stop() {
        nodes.forEach(TomcatNode::close);
    }

    @Test
    void theCookieFollowsTheNodeAndTheSessionStays() {
        browser.get(nodes.get(0), "/set");
        String first = browser.sessionId();
        assertTrue(first.endsWith(".route1"), first);
        String name = SessionIds.bare(first);
        assertEquals("ann " + name + ".route2", browser.get(nodes.get(1), "/who"));
        assertEquals(name + ".route2", browser.sessionId());
        assertEquals("ann " + name + ".route1", browser.get(nodes.get(0), "/who"));
        assertEquals(1, nodes.get(0).manager().getActiveSessionsFull());
    }

    @Test
    void aNewIdBearsTheRouteToo() {
        browser.get(nodes.get(0), "/set");
        browser.get(nodes.get(1), "/rotate");
        assertTrue(browser.sessionId().endsWith(".route2"), browser.sessionId());
        assertTrue(browser.get(nodes.get(0), "/who").startsWith("ann "));
    }
}
