package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.session.SessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What requests, and listeners that they call, do with sessions while a response leaves, and after that. */
@Tag("container")
@Timeout(300)
final class LateChangesIT {

    private static final AtomicInteger passivations = new AtomicInteger();

    /** A value that reads its session before a node encodes it. */
    static final class Listening implements HttpSessionActivationListener, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            passivations.incrementAndGet();
            assertEquals(this, event.getSession().getAttribute("listening"));
        }
    }

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);
    private final CountDownLatch changed = new CountDownLatch(1);

    /** The sessions of other clients, as an application keeps them that lists who is logged in. */
    private final Queue<HttpSession> registry = new ConcurrentLinkedQueue<>();

    private final JettyCluster cluster = JettyCluster.of(2)
            .on("/begin", (request, response) -> request.getSession())
            .on("/register", (request, response) -> {
                request.getSession().setAttribute("listening", new Listening());
                registry.add(request.getSession());
            })
            .on("/read-all", (request, response) -> readAll())
            .on("/read-late", (request, response) -> {
                request.getSession();
                response.getOutputStream().close();
                readAll();
            })
            .on("/use", (request, response) -> {
                request.getSession().getAttribute("listening");
                inside.countDown();
                await(leave, "the test let the request go on");
            })
            .on("/change-late", this::changeLate)
            .on(
                    "/get",
                    (request, response) ->
                            response.getWriter().print(request.getSession(false).getAttribute("a")))
            .start();

    @AfterEach
    void stop() {
        leave.countDown();
        cluster.close();
    }

    private static void await(CountDownLatch latch, String what) {
        try {
            assertTrue(latch.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), what);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void readAll() {
        for (HttpSession session : registry) {
            session.getAttribute("listening");
        }
    }

    private void changeLate(HttpServletRequest request, HttpServletResponse response) {
        HttpSession session = request.getSession();
        AsyncContext async = request.startAsync();
        async.start(() -> {
            async.complete();
            await(leave, "the test saw the end of the request");
            session.setAttribute("a", "late");
            changed.countDown();
        });
    }

    private void awaitUnused(Browser browser) {
        String id = browser.sessionId().replaceFirst("[.].*", "");
        Await.that(
                "no request of the first node uses the session",
                () -> cluster.node(0).server.getContainedBeans(SessionManager.class).stream()
                        .map(manager -> (UnderstudySessionDataStore)
                                manager.getSessionCache().getSessionDataStore())
                        .noneMatch(store -> store.sessions().find(id).inUse()));
    }

    /** The more of them, the more often two are neighbours in a hash table. */
    @Test
    void aResponseLeavesAlthoughListenersReadTheirSessions() throws Exception {
        for (int i = 0; i < 20; i++) {
            new Browser().get(cluster.node(0), "/app/register");
        }
        CompletableFuture<HttpResponse<String>> response = new Browser().start(cluster.node(0), "/app/read-all");
        assertEquals(
                200, response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
    }

    @Test
    void aThreadThatOutlivesItsRequestSendsItsChanges() {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/begin");
        browser.get(cluster.node(0), "/app/change-late");
        awaitUnused(browser);
        leave.countDown();
        await(changed, "the thread has changed the session");
        assertEquals("late", browser.get(cluster.node(1), "/app/get"));
    }

    /** What it holds is passivated with the changes of its own request. */
    @Test
    void aLateReaderLeavesAValueToTheRequestThatUsesIt() throws Exception {
        Browser other = new Browser();
        other.get(cluster.node(0), "/app/register");
        CompletableFuture<HttpResponse<String>> use = other.start(cluster.node(0), "/app/use");
        await(inside, "the request uses the value");
        Browser reader = new Browser();
        reader.get(cluster.node(0), "/app/begin");
        awaitUnused(reader);
        int before = passivations.get();
        reader.get(cluster.node(0), "/app/read-late");
        awaitUnused(reader);
        assertEquals(before, passivations.get());
        leave.countDown();
        assertEquals(200, use.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        awaitUnused(other);
        assertTrue(passivations.get() > before);
    }
}
