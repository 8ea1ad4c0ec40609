package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.session.SessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session that ended, or changed its id, on one node is over, or has changed it, on all. */
@Tag("container")
@Timeout(300)
final class SessionEndIT {

    /** What the listeners of all nodes saw: the value of attribute a, and the context it happened in. */
    private static final List<String> destroyed = new CopyOnWriteArrayList<>();

    private static volatile CountDownLatch inside = new CountDownLatch(0);
    private static volatile CountDownLatch leave = new CountDownLatch(0);

    private static volatile CyclicBarrier together = new CyclicBarrier(2);

    /** Listeners of ended sessions take until it is open. */
    private static volatile CountDownLatch gate = new CountDownLatch(0);

    private JettyCluster cluster;

    @BeforeEach
    void start() {
        destroyed.clear();
        cluster = JettyCluster.of(2)
                .on(
                        "/set",
                        (request, response) -> request.getSession()
                                .setAttribute(request.getParameter("name"), request.getParameter("value")))
                .on("/get", (request, response) -> {
                    HttpSession session = request.getSession(false);
                    print(response, session == null ? "no session" : session.getAttribute("a"));
                })
                .on("/set-slowly", (request, response) -> {
                    HttpSession session = request.getSession();
                    inside.countDown();
                    assertTrue(
                            leave.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the test let the request go on");
                    try {
                        session.setAttribute("a", "late");
                        print(response, "set");
                    } catch (IllegalStateException e) {
                        print(response, "invalid");
                    }
                })
                .on("/hold", (request, response) -> {
                    request.getSession().getAttribute("a");
                    inside.countDown();
                    assertTrue(
                            leave.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the test let the request go on");
                })
                .on("/logout", (request, response) -> request.getSession().invalidate())
                .on("/login", (request, response) -> {
                    request.getSession().invalidate();
                    request.getSession(true).setAttribute("a", "after login");
                })
                .on("/logout-together", (request, response) -> {
                    HttpSession session = request.getSession();
                    together.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    try {
                        session.invalidate();
                    } catch (IllegalStateException e) {
                        print(response, "was over"); // As of a session that ended on this node.
                    }
                })
                .on("/rename-together", (request, response) -> {
                    request.getSession();
                    together.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    request.changeSessionId();
                })
                .on("/rename", (request, response) -> print(response, request.changeSessionId()))
                .on(
                        "/timeout",
                        (request, response) -> request.getSession()
                                .setMaxInactiveInterval(Integer.parseInt(request.getParameter("seconds"))))
                .on(
                        "/timeout/show",
                        (request, response) ->
                                print(response, request.getSession().getMaxInactiveInterval()))
                .listener(new HttpSessionListener() {
                    @Override
                    public void sessionDestroyed(HttpSessionEvent event) {
                        destroyed.add(String.valueOf(event.getSession().getAttribute("a")));
                        awaitGate();
                    }
                })
                .start();
    }

    @AfterEach
    void stop() {
        gate.countDown();
        cluster.close();
    }

    @Test
    void anInvalidatedSessionIsGoneOnTheOtherNodeAtOnce() {
        for (int i = 0; i < 20; i++) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set?name=a&value=1");
            assertEquals("1", browser.get(cluster.node(1), "/app/get"));
            browser.get(cluster.node(0), "/app/logout");
            assertEquals("no session", browser.get(cluster.node(1), "/app/get"));
            assertEquals("no session", browser.get(cluster.node(0), "/app/get"));
        }
        assertEquals(20, destroyed.size(), "one event for each, and only on the node that ended it");
    }

    @Test
    void ofTwoLogoutsAtOnceOneFiresTheEvent() {
        for (int i = 0; i < 50; i++) {
            Browser browser = new Browser();
            browser.get(cluster.node(i % 2), "/app/set?name=a&value=1");
            together = new CyclicBarrier(2);
            CompletableFuture<HttpResponse<String>> one = browser.start(cluster.node(0), "/app/logout-together");
            CompletableFuture<HttpResponse<String>> other = browser.start(cluster.node(1), "/app/logout-together");
            assertEquals(200, one.join().statusCode());
            assertEquals(200, other.join().statusCode());
            assertEquals("no session", browser.get(cluster.node(0), "/app/get"));
            assertEquals(i + 1, destroyed.size());
        }
        assertEquals(List.of("1"), destroyed.stream().distinct().toList(), "listeners can read attributes");
    }

    @Test
    void aLateRequestOnAnotherNodeDoesNotBringAnInvalidatedSessionBack() throws Exception {
        for (String path : List.of("/app/set-slowly", "/app/hold")) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set?name=a&value=1");
            CompletableFuture<HttpResponse<String>> late = held(browser, cluster.node(1), path);
            browser.get(cluster.node(0), "/app/logout");
            leave.countDown();
            assertEquals(200, late.join().statusCode());
            assertNotEquals("set", late.join().body(), "an ended session can't be written to");
            assertEquals("no session", browser.get(cluster.node(1), "/app/get"));
            assertEquals("no session", browser.get(cluster.node(0), "/app/get"));
        }
    }

    @Test
    void aLoginThatInvalidatesAndCreatesInOneRequestEndsTheOldSessionEverywhere() {
        for (int i = 0; i < 20; i++) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set?name=a&value=1");
            Browser old = browser.twin();
            browser.get(cluster.node(1), "/app/login");
            assertEquals("no session", old.get(cluster.node(0), "/app/get"));
            assertEquals("after login", browser.get(cluster.node(0), "/app/get"));
        }
    }

    @Test
    void aChangedIdKeepsTheAttributesAndTheOldIdIsRefusedOnEachNode() {
        for (int i = 0; i < 20; i++) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set?name=a&value=" + i);
            browser.get(cluster.node(1), "/app/get");
            Browser old = browser.twin();
            browser.get(cluster.node(0), "/app/rename");
            assertNotEquals(old.sessionId(), browser.sessionId());
            for (JettyNode node : cluster.nodes()) {
                assertEquals("no session", old.get(node, "/app/get"));
                assertEquals("" + i, browser.get(node, "/app/get"));
            }
            browser.get(cluster.node(1), "/app/set?name=a&value=changed");
            assertEquals("changed", browser.get(cluster.node(0), "/app/get"));
        }
        assertEquals(List.of(), destroyed);
    }

    @Test
    void theClientOfASupersededIdGetsTheCurrentOneAndThenTheSupersededOneFindsNothing() throws Exception {
        for (int attempt = 0; attempt < 200; attempt++) {
            Browser first = new Browser();
            first.get(cluster.node(0), "/app/set?name=a&value=1");
            assertEquals("1", first.get(cluster.node(1), "/app/get"));
            Browser second = first.twin();
            together = new CyclicBarrier(2);
            CompletableFuture<HttpResponse<String>> one = first.start(cluster.node(0), "/app/rename-together");
            CompletableFuture<HttpResponse<String>> other = second.start(cluster.node(1), "/app/rename-together");
            assertEquals(200, one.join().statusCode());
            assertEquals(200, other.join().statusCode());
            if (first.sessionId().equals(second.sessionId()) || !found(id(first)) || !found(id(second))) {
                continue; // One node knew of the other's change before it made its own.
            }
            String current = store(cluster.node(0)).sessions().find(id(first)).id();
            Browser loser = id(first).equals(current) ? second : first;
            Browser late = loser.twin();
            assertEquals("1", loser.get(cluster.node(1), "/app/get"));
            assertEquals(current, id(loser), "the response bears the current id");
            for (JettyNode node : cluster.nodes()) {
                assertEquals("no session", late.get(node, "/app/get"));
                assertEquals("1", loser.get(node, "/app/get"));
            }
            return;
        }
        fail("no two changes of an id were concurrent");
    }

    private boolean over(String id) {
        return cluster.nodes().stream().noneMatch(node -> store(node).sessions().contains(id));
    }

    private boolean found(String id) {
        return cluster.nodes().stream().allMatch(node -> store(node).sessions().contains(id));
    }

    @Test
    void aRequestThatBeganUnderTheOldIdStillWritesToTheSession() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set?name=a&value=1");
        CompletableFuture<HttpResponse<String>> late = held(browser.twin(), cluster.node(1), "/app/set-slowly");
        browser.get(cluster.node(0), "/app/rename");
        assertEquals("1", browser.get(cluster.node(1), "/app/get"));
        leave.countDown();
        assertEquals("set", late.join().body());
        assertEquals("late", browser.get(cluster.node(0), "/app/get"));
    }

    @Test
    void anExpiredSessionIsDestroyedOnceAndGoneEverywhere() {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set?name=a&value=expired");
        browser.get(cluster.node(0), "/app/timeout?seconds=77");
        assertEquals("77", browser.get(cluster.node(1), "/app/timeout/show"));
        browser.get(cluster.node(1), "/app/timeout?seconds=1"); // The last use: whatever comes later may find it over.
        Browser other = new Browser();
        other.get(cluster.node(1), "/app/set?name=a&value=alive");
        Await.that("the session expires", () -> {
            cluster.nodes().forEach(SessionEndIT::scavenge);
            return !destroyed.isEmpty();
        });
        for (JettyNode node : cluster.nodes()) {
            Await.that(
                    "gone from " + node.uri("/"),
                    () -> store(node).sessions().ids().size() == 1);
            assertEquals("no session", browser.get(node, "/app/get"));
            scavenge(node);
        }
        assertEquals(List.of("expired"), destroyed);
        assertEquals("alive", other.get(cluster.node(0), "/app/get"));
    }

    @Test
    void aRequestThatComesTooLateFindsNoSessionAndFiresTheEvent() {
        for (JettyNode late : cluster.nodes()) {
            destroyed.clear();
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set?name=a&value=1");
            browser.get(cluster.node(0), "/app/timeout?seconds=1");
            String id = id(browser);
            Await.that(
                    "idle for too long", () -> store(late).sessions().find(id).overdue());
            Await.that(
                    "its end is told",
                    () -> { // Votes that come too late for one request come for the next.
                        assertEquals("no session", browser.get(late, "/app/get"));
                        return !destroyed.isEmpty();
                    });
            Await.that("it is over", () -> over(id));
            assertEquals(List.of("1"), destroyed);
            for (JettyNode node : cluster.nodes()) {
                assertEquals("no session", browser.get(node, "/app/get"));
            }
        }
    }

    @Test
    void expiredIdsAreAnsweredWhileListenersRun() {
        gate = new CountDownLatch(1);
        List<Browser> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Browser client = new Browser();
            client.get(cluster.node(0), "/app/set?name=a&value=client" + i);
            client.get(cluster.node(0), "/app/timeout?seconds=1");
            clients.add(client);
        }
        for (JettyNode node : cluster.nodes()) {
            for (Browser client : clients) {
                LiveSession session = store(node).sessions().find(id(client));
                Await.that("nobody may use it", session::overdue);
            }
        }
        CompletableFuture<Void> expiring = expire(cluster.node(0));
        Await.that("listeners run", () -> !destroyed.isEmpty());
        for (JettyNode node : cluster.nodes()) {
            for (Browser client : clients) {
                assertEquals("no session", client.twin().get(node, "/app/get"));
                assertNotEquals(client.sessionId(), newId(client.twin(), node), "its id is not used again");
            }
        }
        gate.countDown();
        expiring.join();
        Await.that("all are over", () -> {
            scavenge(cluster.node(0));
            return clients.stream().allMatch(client -> over(id(client)));
        });
        assertEquals(20, destroyed.size());
        assertEquals(20, destroyed.stream().distinct().count());
    }

    /** Of the session that the client gets now. */
    private static String newId(Browser client, JettyNode node) {
        client.get(node, "/app/set?name=a&value=new");
        assertEquals("new", client.get(node, "/app/get"));
        return client.sessionId();
    }

    /** As the house keeper does now and then, until the first listener of a session that is due is told. */
    private static CompletableFuture<Void> expire(JettyNode node) {
        return Beside.run(() -> Await.that("a session is due", () -> {
            scavenge(node);
            return !destroyed.isEmpty();
        }));
    }

    private static void awaitGate() {
        try {
            assertTrue(gate.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSessionInUseOnOneNodeDoesNotExpireOnTheOther() {
        int attempt = 0;
        while (!staysInUse("used" + attempt)) {
            attempt++;
            assertTrue(attempt < 20, "between two requests there was always more than the session's interval");
        }
    }

    /** Whether requests came so often that the session must stay. A machine that stands still keeps them from that. */
    private boolean staysInUse(String value) {
        long interval = TimeUnit.SECONDS.toNanos(3);
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set?name=a&value=" + value);
        long used = System.nanoTime();
        browser.get(cluster.node(0), "/app/timeout?seconds=3");
        long end = System.nanoTime() + 2 * interval;
        while (System.nanoTime() - end < 0) {
            long next = System.nanoTime();
            String found = browser.get(cluster.node(1), "/app/get");
            cluster.nodes().forEach(SessionEndIT::scavenge);
            if (System.nanoTime() - used >= interval) {
                return false;
            }
            assertEquals(value, found);
            used = next;
        }
        String found = browser.get(cluster.node(0), "/app/get");
        boolean ended = destroyed.contains(value);
        if (System.nanoTime() - used >= interval) {
            return false;
        }
        assertEquals(value, found);
        assertFalse(ended, "its end was told");
        return true;
    }

    private static SessionManager manager(JettyNode node) {
        return node.server.getContainedBeans(SessionManager.class).iterator().next();
    }

    private static void scavenge(JettyNode node) {
        try {
            manager(node).scavenge();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static UnderstudySessionDataStore store(JettyNode node) {
        return (UnderstudySessionDataStore) manager(node).getSessionCache().getSessionDataStore();
    }

    /** The cookie's value without the name of the worker. */
    private static String id(Browser browser) {
        String value = browser.sessionId();
        return value.substring(0, value.lastIndexOf('.'));
    }

    private static CompletableFuture<HttpResponse<String>> held(Browser browser, JettyNode node, String path)
            throws InterruptedException {
        inside = new CountDownLatch(1);
        leave = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> response = browser.start(node, path);
        assertTrue(inside.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the request got into the application");
        return response;
    }

    private static void print(HttpServletResponse response, Object value) throws IOException {
        response.getWriter().print(Objects.toString(value));
    }
}
