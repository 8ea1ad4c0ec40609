package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import java.io.IOException;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While the id of a session changes, as at a login, other requests use the session. */
@Tag("container")
@Timeout(300)
final class IdChangeIT {

    /** Holds the change of the id while the session is written for the other node. */
    static final class Slow implements HttpSessionActivationListener, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            hold();
        }
    }

    private static volatile CountDownLatch inside = new CountDownLatch(1);
    private static volatile CountDownLatch leave = new CountDownLatch(0);

    private final Semaphore reading = new Semaphore(0);
    private final AtomicReference<String> newId = new AtomicReference<>();
    private volatile Error failure;

    private final JettyCluster cluster = JettyCluster.of(2)
            .on("/set", (request, response) -> request.getSession().setAttribute("a", "1"))
            .on("/get", this::get)
            .on("/login", (request, response) -> {
                request.getSession(false);
                reading.release();
                request.changeSessionId();
            })
            .on("/login-slowly", (request, response) -> {
                request.getSession().setAttribute("slow", new Slow());
                request.changeSessionId();
            })
            .on("/logout", (request, response) -> request.getSession().invalidate())
            .listener(new HttpSessionIdListener() {
                @Override
                public void sessionIdChanged(HttpSessionEvent event, String oldId) {
                    newId.set(event.getSession().getId());
                    hold();
                    if (failure != null) {
                        throw failure;
                    }
                }
            })
            .start();

    @AfterEach
    void stop() {
        leave.countDown();
        cluster.close();
    }

    private static void hold() {
        inside.countDown();
        try {
            assertTrue(leave.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the test let the change go on");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void get(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession(false);
        String value = session == null ? "no session" : String.valueOf(session.getAttribute("a"));
        reading.release();
        response.getWriter().print(value);
    }

    private static CompletableFuture<HttpResponse<String>> held(Browser browser, JettyNode node, String path)
            throws InterruptedException {
        inside = new CountDownLatch(1);
        leave = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> response = browser.start(node, path);
        assertTrue(inside.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the id changes");
        return response;
    }

    @Test
    void bothIdsFindTheSessionWhileItChanges() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set");
        Browser former = browser.twin();
        String formerId = former.sessionId();
        CompletableFuture<HttpResponse<String>> login = held(browser, cluster.node(0), "/app/login");
        assertEquals("1", former.get(cluster.node(0), "/app/get"));
        assertEquals(formerId, former.sessionId(), "who knew the id before a login does not get the new one");
        assertEquals("1", Browser.bearing(newId.get()).get(cluster.node(0), "/app/get"));
        leave.countDown();
        assertEquals(200, login.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertNotEquals(formerId, browser.sessionId());
        for (JettyNode node : cluster.nodes()) {
            assertEquals("no session", former.get(node, "/app/get"));
            assertEquals("1", browser.get(node, "/app/get"));
        }
    }

    @Test
    void theSessionIsFoundWhileTheChangeIsSent() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set");
        Browser former = browser.twin();
        CompletableFuture<HttpResponse<String>> login = held(browser, cluster.node(0), "/app/login-slowly");
        CompletableFuture<HttpResponse<String>> found = former.start(cluster.node(0), "/app/get");
        assertTrue(
                reading.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the request runs while the id changes");
        leave.countDown();
        assertEquals("1", found.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).body());
        assertEquals(200, login.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertEquals("1", browser.get(cluster.node(1), "/app/get"));
    }

    @Test
    void aListenersErrorEndsTheChange() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set");
        failure = new AssertionError("listener");
        assertEquals(500, browser.send(cluster.node(0), "/app/login").statusCode());
        failure = null;
        Browser renamed = Browser.bearing(newId.get());
        assertEquals("1", renamed.get(cluster.node(0), "/app/get"));
        assertEquals("1", renamed.get(cluster.node(1), "/app/get"));
        assertEquals(
                200,
                renamed.start(cluster.node(0), "/app/login")
                        .get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .statusCode());
        assertEquals(
                200,
                renamed.start(cluster.node(0), "/app/logout")
                        .get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .statusCode());
        assertEquals("no session", renamed.get(cluster.node(1), "/app/get"));
    }

    @Test
    void ofTwoLoginsAtOnceTheClientHasTheLastId() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set");
        Browser twin = browser.twin();
        CompletableFuture<HttpResponse<String>> first = held(browser, cluster.node(0), "/app/login");
        reading.drainPermits();
        CompletableFuture<HttpResponse<String>> second = twin.start(cluster.node(0), "/app/login");
        assertTrue(reading.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the second has found the session");
        leave.countDown();
        assertEquals(200, first.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertEquals(200, second.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        String last = newId.get();
        Browser holder = browser.sessionId().startsWith(last) ? browser : twin;
        assertTrue(holder.sessionId().startsWith(last), holder::sessionId);
        assertEquals("1", holder.get(cluster.node(1), "/app/get"));
    }
}
