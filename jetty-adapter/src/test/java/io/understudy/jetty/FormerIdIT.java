package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.SessionHandler;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.session.DefaultSessionIdManager;
import org.eclipse.jetty.session.ManagedSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that knows the id of a session from before a login does not get the id from after it. */
@Tag("container")
@Timeout(300)
final class FormerIdIT {

    /** Holds the next thread that passes. */
    private static final class Gate {

        private final AtomicReference<CountDownLatch> closed = new AtomicReference<>();
        private final CountDownLatch inside = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        void close() {
            closed.set(inside);
        }

        void pass() {
            CountDownLatch reached = closed.getAndSet(null);
            if (reached != null) {
                reached.countDown();
                await(open, "the test opened the gate");
            }
        }

        static void await(CountDownLatch latch, String what) {
            try {
                assertTrue(latch.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), what);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Where a request has found its session, and Jetty has not yet compared the ids. */
    private final Gate found = new Gate();

    /** Where Jetty has compared the ids, and not yet decided whether the client needs a cookie. */
    private final Gate lookedUp = new Gate();

    /** Where the session has its new id, and the change is not over. */
    private final Gate changed = new Gate();

    private final AtomicReference<String> newId = new AtomicReference<>();

    private final JettyCluster cluster = JettyCluster.of(2).start(this::node);

    @AfterEach
    void stop() {
        List.of(found, lookedUp, changed).forEach(gate -> gate.open.countDown());
        cluster.close();
    }

    private JettyNode node(UnderstudyConfig config) {
        JettyNode node = JettyNode.of(config, webapp());
        node.server.addBean(new DefaultSessionIdManager(node.server) {
            @Override
            public String getExtendedId(String id, Request request) {
                if (request == null) {
                    found.pass();
                }
                return super.getExtendedId(id, request);
            }
        });
        return node;
    }

    private ServletContextHandler webapp() {
        ServletContextHandler context = JettyNode.webapp(
                Map.of(
                        "/set", (request, response) -> request.getSession().setAttribute("a", "1"),
                        "/get", FormerIdIT::get,
                        "/link", (request, response) -> response.getWriter().print(response.encodeURL("/app/get")),
                        "/login", (request, response) -> request.changeSessionId()),
                List.of());
        context.setSessionHandler(new SessionHandler() {
            @Override
            public HttpCookie access(ManagedSession session, boolean secure) {
                lookedUp.pass();
                return super.access(session, secure);
            }
        });
        context.addEventListener(new HttpSessionIdListener() {
            @Override
            public void sessionIdChanged(HttpSessionEvent event, String oldId) {
                newId.set(event.getSession().getId());
                changed.pass();
            }
        });
        return context;
    }

    private static void get(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession(false);
        response.getWriter().print(session == null ? "no session" : session.getAttribute("a"));
    }

    private static CompletableFuture<HttpResponse<String>> heldAt(
            Gate gate, Browser browser, JettyNode node, String path) {
        gate.close();
        CompletableFuture<HttpResponse<String>> response = browser.start(node, path);
        Gate.await(gate.inside, "the request is there");
        return response;
    }

    private static HttpResponse<String> letGo(Gate gate, CompletableFuture<HttpResponse<String>> held)
            throws Exception {
        gate.open.countDown();
        HttpResponse<String> response = held.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertEquals(200, response.statusCode(), response::body);
        return response;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aRequestFoundTheSessionBeforeTheLogin(int node) throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set");
        Browser former = browser.twin();
        String formerId = former.sessionId();
        CompletableFuture<HttpResponse<String>> request = heldAt(found, former, cluster.node(node), "/app/get");
        browser.get(cluster.node(0), "/app/login");
        assertNotEquals(formerId, browser.sessionId());
        assertEquals("1", letGo(found, request).body());
        assertEquals(formerId, former.sessionId());
        assertEquals("no session", former.get(cluster.node(node), "/app/get"));
        assertEquals("1", browser.get(cluster.node(node), "/app/get"));
    }

    @Test
    void aRequestLookedUpTheSessionBeforeTheLogin() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set");
        Browser former = browser.twin();
        String formerId = former.sessionId();
        CompletableFuture<HttpResponse<String>> request = heldAt(lookedUp, former, cluster.node(0), "/app/get");
        CompletableFuture<HttpResponse<String>> login = heldAt(changed, browser, cluster.node(0), "/app/login");
        assertEquals("1", letGo(lookedUp, request).body());
        assertEquals(formerId, former.sessionId());
        letGo(changed, login);
        assertNotEquals(formerId, browser.sessionId());
        assertEquals("1", browser.get(cluster.node(1), "/app/get"));
    }

    @Test
    void aPageLinksWithTheIdOfItsRequest() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set");
        String formerId = browser.sessionId();
        CompletableFuture<HttpResponse<String>> login = heldAt(changed, browser, cluster.node(0), "/app/login");
        assertEquals(
                "/app/get;jsessionid=" + formerId,
                Browser.forgetful().get(cluster.node(0), "/app/link;jsessionid=" + formerId));
        letGo(changed, login);
        assertEquals(
                "/app/get;jsessionid=" + browser.sessionId(),
                Browser.forgetful().get(cluster.node(0), "/app/link;jsessionid=" + browser.sessionId()));
    }

    /** As of a browser that has a cookie of two paths. */
    @Test
    void aRequestBearsBothIds() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set");
        String formerId = browser.sessionId();
        CompletableFuture<HttpResponse<String>> login = heldAt(changed, browser, cluster.node(0), "/app/login");
        Browser newFirst = Browser.bearing(newId.get() + "; JSESSIONID=" + formerId);
        assertEquals("1", newFirst.get(cluster.node(0), "/app/get"));
        Browser formerFirst = Browser.bearing(formerId + "; JSESSIONID=" + newId.get());
        assertEquals("1", formerFirst.get(cluster.node(0), "/app/get"));
        letGo(changed, login);
        assertEquals("1", newFirst.get(cluster.node(0), "/app/get"));
    }
}
