package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LogLines;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.session.SessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever its listeners throw, a session ends or gets its new id: in all contexts, on all nodes. All events of its end
 * are fired.
 */
@Tag("container")
@Timeout(300)
final class FailingListenersIT {

    /** The kind of what listeners throw; empty is nothing. */
    private static volatile String failing = "";

    private static final List<String> events = new CopyOnWriteArrayList<>();

    static final class Bound implements HttpSessionBindingListener, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            events.add("unbound " + event.getName());
            fail();
        }
    }

    private static final class Listener
            implements HttpSessionListener, HttpSessionAttributeListener, HttpSessionIdListener {

        private final String path;

        Listener(String path) {
            this.path = path;
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            events.add("destroyed " + path);
            fail();
        }

        @Override
        public void attributeRemoved(HttpSessionBindingEvent event) {
            events.add("removed " + event.getName());
            fail();
        }

        @Override
        public void sessionIdChanged(HttpSessionEvent event, String oldId) {
            fail();
        }
    }

    private static void fail() {
        switch (failing) {
            case "LinkageError" -> throw new NoClassDefFoundError(failing);
            case "StackOverflowError" -> throw new StackOverflowError(failing);
            case "AssertionError" -> throw new AssertionError(failing);
            case "IllegalStateException" -> throw new IllegalStateException(failing);
            default -> {}
        }
    }

    private static final Map<String, JettyNode.Action> ACTIONS = Map.of(
            "/set",
            (request, response) -> {
                HttpSession session = request.getSession();
                String prefix = request.getContextPath();
                session.setAttribute(prefix + "-1", new Bound());
                session.setAttribute(prefix + "-2", "text");
                session.setAttribute(prefix + "-3", new Bound());
                if (request.getParameter("seconds") != null) {
                    session.setMaxInactiveInterval(Integer.parseInt(request.getParameter("seconds")));
                }
            },
            "/get",
            (request, response) ->
                    response.getWriter().print(request.getSession(false) == null ? "no session" : "session"),
            "/login",
            (request, response) -> request.changeSessionId(),
            "/logout",
            (request, response) -> request.getSession().invalidate());

    private final JettyCluster cluster = JettyCluster.of(2)
            .start(config -> JettyNode.of(config, new ContextHandlerCollection(webapp("/app"), webapp("/other"))));

    private static ServletContextHandler webapp(String path) {
        ServletContextHandler context = JettyNode.webapp(ACTIONS, List.of(new Listener(path)));
        context.setContextPath(path);
        return context;
    }

    @AfterEach
    void stop() {
        failing = "";
        cluster.close();
    }

    /** A value that fails when it is unbound hides its own removal: Jetty tells both at once. */
    private static final TreeSet<String> ALL = new TreeSet<>(List.of(
            "destroyed /app",
            "destroyed /other",
            "removed /app-2",
            "removed /other-2",
            "unbound /app-1",
            "unbound /app-3",
            "unbound /other-1",
            "unbound /other-3"));

    private static void assertAllTold() {
        assertEquals(List.copyOf(ALL), events.stream().sorted().toList());
    }

    private boolean over(String id) {
        return cluster.nodes().stream()
                .flatMap(node -> node.server.getContainedBeans(SessionManager.class).stream())
                .map(manager ->
                        (UnderstudySessionDataStore) manager.getSessionCache().getSessionDataStore())
                .noneMatch(store -> store.sessions().contains(id));
    }

    private static String id(Browser browser) {
        return browser.sessionId().replaceFirst("[.].*", "");
    }

    private void scavenge() {
        cluster.nodes().stream()
                .flatMap(node -> node.server.getContainedBeans(SessionManager.class).stream())
                .forEach(manager -> {
                    try {
                        manager.scavenge();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"LinkageError", "StackOverflowError", "AssertionError", "IllegalStateException"})
    void aLogoutEndsTheSession(String kind) {
        events.clear();
        try (LogLines lines = new LogLines("io.understudy")) {
            for (int i = 0; i < 3; i++) {
                Browser browser = new Browser();
                browser.get(cluster.node(0), "/app/set");
                browser.get(cluster.node(1), "/other/set");
                failing = kind;
                events.clear();
                assertEquals(200, browser.send(cluster.node(0), "/app/logout").statusCode());
                failing = "";
                assertAllTold();
                for (JettyNode node : cluster.nodes()) {
                    assertEquals("no session", browser.get(node, "/app/get"));
                    assertEquals("no session", browser.get(node, "/other/get"));
                }
                Await.that("it is over everywhere", () -> over(id(browser)));
                events.clear();
            }
            assertEquals(
                    1,
                    lines.with("calling the listeners for the end of a session").size());
        }
    }

    /** By each context once: Jetty asks them in any order, and the first one fails. */
    @ParameterizedTest
    @ValueSource(strings = {"LinkageError", "StackOverflowError", "AssertionError", "IllegalStateException"})
    void aLoginChangesTheIdInAllContexts(String kind) {
        for (String path : List.of("/app", "/other")) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set");
            browser.get(cluster.node(0), "/other/set");
            Browser former = browser.twin();
            failing = kind;
            int status = browser.send(cluster.node(0), path + "/login").statusCode();
            failing = "";
            assertEquals(kind.equals("IllegalStateException") ? 200 : 500, status);
            assertNotEquals(former.sessionId(), browser.sessionId());
            for (JettyNode node : cluster.nodes()) {
                assertEquals("session", browser.get(node, "/app/get"));
                assertEquals("session", browser.get(node, "/other/get"));
                assertEquals("no session", former.get(node, "/app/get"));
                assertEquals("no session", former.get(node, "/other/get"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"LinkageError", "StackOverflowError", "AssertionError", "IllegalStateException"})
    void anIdleSessionExpires(String kind) {
        events.clear();
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set?seconds=1");
        browser.get(cluster.node(0), "/other/set?seconds=1");
        failing = kind;
        Await.that("it is over everywhere", () -> {
            scavenge();
            return over(id(browser));
        });
        failing = "";
        assertAllTold();
        assertEquals("no session", browser.get(cluster.node(1), "/app/get"));
        Browser next = new Browser();
        next.get(cluster.node(0), "/app/set");
        assertEquals("session", next.get(cluster.node(1), "/app/get"));
    }
}
