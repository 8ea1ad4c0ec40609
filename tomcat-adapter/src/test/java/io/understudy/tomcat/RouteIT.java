package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeStart;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.tomcat.container.SessionIds;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.catalina.Engine;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardEngine;
import org.apache.catalina.util.SessionIdGeneratorBase;
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
        nodes = TomcatNode.start(2, pages());
    }

    private Pages pages() {
        return pages(context -> engine(context).setJvmRoute("route" + started.incrementAndGet()));
    }

    private static Engine engine(StandardContext context) {
        return (Engine) context.getParent().getParent();
    }

    private static Pages pages(Consumer<StandardContext> customizer) {
        return new Pages()
                .with(customizer)
                .on("/set", (request, response) -> request.getSession().setAttribute("name", "ann"))
                .on("/rotate", (request, response) -> request.changeSessionId())
                .on(
                        "/who",
                        (request, response) -> response.getWriter()
                                .print(request.getSession().getAttribute("name") + " "
                                        + request.getSession().getId()));
    }

    /** One node in place of the others. */
    private TomcatNode restart(Consumer<StandardContext> customizer) {
        nodes.forEach(TomcatNode::close);
        nodes = List.of(TomcatNode.start(LoopbackCluster.configs(1).get(0), pages(customizer)));
        return nodes.get(0);
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

    /** A link that somebody else sent must not pin the browser to that session. */
    @Test
    void anIdInALinkBecomesNoCookie() {
        browser.get(nodes.get(0), "/set");
        Browser visitor = new Browser();
        String seen = visitor.get(nodes.get(1), "/who;jsessionid=" + SessionIds.bare(browser.sessionId()));
        assertTrue(seen.startsWith("ann "), seen);
        assertNull(visitor.sessionId());
    }

    @Test
    void aNewIdBearsTheRouteToo() {
        browser.get(nodes.get(0), "/set");
        browser.get(nodes.get(1), "/rotate");
        assertTrue(browser.sessionId().endsWith(".route2"), browser.sessionId());
        assertTrue(browser.get(nodes.get(0), "/who").startsWith("ann "));
    }

    /**
     * A client that planted an id may send it again in the moment in which a login replaces it. With the new id it
     * would be in the session of the user.
     */
    @Test
    void aClientWhoseIdALoginReplacesGetsNoNewOne() {
        nodes.forEach(TomcatNode::close);
        AtomicReference<Runnable> login = new AtomicReference<>();
        Engine engine = new StandardEngine() {
            @Override
            public String getJvmRoute() { // The valve has found the session, and looks whether its cookie is right.
                Runnable now = login.getAndSet(null);
                if (now != null) {
                    now.run();
                }
                return super.getJvmRoute();
            }
        };
        nodes = List.of(
                TomcatNode.start(NodeStart.start(LoopbackCluster.configs(1).get(0)), pages(), engine));
        TomcatNode node = nodes.get(0);
        node.awaitReady();
        browser.get(node, "/set");
        Browser planted = Browser.bearing(browser.sessionId());
        login.set(() -> browser.get(node, "/rotate"));
        String seen = planted.get(node, "/who");
        assertNull(login.get(), "the login came in that moment");
        String replaced = SessionIds.bare(browser.sessionId());
        assertFalse(seen.contains(replaced), seen);
        assertFalse(planted.sessionId().contains(replaced), planted.sessionId());
        assertTrue(browser.get(node, "/who").startsWith("ann "));
    }

    /** As of an engine whose route comes from a variable that nobody set. */
    @Test
    void anEmptyRouteIsNone() {
        TomcatNode node = restart(context -> engine(context).setJvmRoute(""));
        node.awaitReady();
        browser.get(node, "/set");
        assertFalse(browser.sessionId().contains("."), browser.sessionId());
        assertEquals("ann " + browser.sessionId(), browser.get(node, "/who"));
    }

    @Test
    void aGeneratorThatKnowsNoRouteWorks() {
        TomcatNode node = restart(context -> {
            engine(context).setJvmRoute("route1");
            context.getManager().setSessionIdGenerator(generator("id"));
        });
        node.awaitReady();
        browser.get(node, "/set");
        String first = browser.sessionId();
        assertTrue(first.matches("id\\d+\\.route1"), first);
        browser.get(node, "/rotate");
        assertNotEquals(first, browser.sessionId());
        assertTrue(browser.sessionId().matches("id\\d+\\.route1"), browser.sessionId());
        assertEquals("ann " + browser.sessionId(), browser.get(node, "/who"));
    }

    /** No other node could find the session. */
    @Test
    void anIdWithADotIsRefused() {
        TomcatNode node = restart(context -> context.getManager().setSessionIdGenerator(generator("an.id")));
        node.awaitReady();
        assertEquals(500, browser.send(node, "/set").statusCode());
    }

    @Test
    void aRouteWithADotIsRefusedAtTheStart() {
        TomcatNode node = restart(context -> engine(context).setJvmRoute("node1.dc1"));
        assertFalse(node.manager().getState().isAvailable());
        String refusal = assertThrows(LifecycleException.class, () -> SessionIds.checkRoute("node1.dc1"))
                .getMessage();
        assertTrue(refusal.contains("'node1.dc1'") && refusal.endsWith("use 'node1-dc1'"), refusal);
    }

    private static SessionIdGeneratorBase generator(String ids) {
        AtomicInteger made = new AtomicInteger();
        return new SessionIdGeneratorBase() {
            @Override
            public String generateSessionId(String route) {
                return ids + made.incrementAndGet();
            }
        };
    }
}
