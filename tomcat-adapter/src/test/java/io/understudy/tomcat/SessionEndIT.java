package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions that are invalidated, renamed, expire or outlive their node. */
@Tag("container")
class SessionEndIT {

    private final CyclicBarrier together = new CyclicBarrier(2);
    private final CountDownLatch touched = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);

    /** Ids of destroyed sessions with the name they bore, as the listeners of all nodes saw it. */
    private final List<String> destroyed = new CopyOnWriteArrayList<>();

    /** Listeners of ended sessions take until it is open. */
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private final Browser browser = new Browser();
    private List<TomcatNode> nodes;

    @BeforeEach
    void start() {
        nodes = TomcatNode.start(2, pages());
    }

    @AfterEach
    void stop() {
        gate.countDown();
        nodes.forEach(TomcatNode::close);
    }

    @Test
    void anInvalidatedSessionIsDeadOnTheOtherNodeAtOnce() {
        browser.get(nodes.get(0), "/login?name=ann");
        assertEquals("ann", browser.get(nodes.get(1), "/who"));
        browser.get(nodes.get(0), "/logout");
        assertEquals("nobody", browser.get(nodes.get(1), "/who"));
        assertEquals("nobody", browser.get(nodes.get(0), "/who"));
        assertEquals(List.of("ann"), destroyed);
    }

    @Test
    void ofTwoLogoutsAtOnceOneFiresTheEvent() throws Exception {
        for (int i = 0; i < 50; i++) {
            browser.get(nodes.get(i % 2), "/login?name=ann");
            CompletableFuture<HttpResponse<String>> one = browser.start(nodes.get(0), "/logout-together");
            CompletableFuture<HttpResponse<String>> other = browser.start(nodes.get(1), "/logout-together");
            assertEquals(200, one.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
            assertEquals(
                    200, other.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
            assertEquals("nobody", browser.get(nodes.get(0), "/who"));
            assertEquals(i + 1, destroyed.size());
        }
        assertEquals(List.of("ann"), destroyed.stream().distinct().toList(), "listeners can read attributes");
    }

    @Test
    void aRequestThatEndsLaterDoesNotBringItBack() throws Exception {
        browser.get(nodes.get(0), "/login?name=ann");
        CompletableFuture<HttpResponse<String>> late = browser.start(nodes.get(0), "/write-held");
        assertTrue(touched.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        browser.get(nodes.get(1), "/logout");
        finish.countDown();
        assertEquals(
                "no longer valid",
                late.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).body());
        assertEquals("nobody", browser.get(nodes.get(0), "/who"));
        assertEquals("nobody", browser.get(nodes.get(1), "/who"));
    }

    @Test
    void anObjectOfASessionEndedElsewhereIsNeitherUsableNorKept() throws Exception {
        browser.get(nodes.get(0), "/login?name=ann");
        Session object = nodes.get(0).manager().findSession(browser.sessionId());
        assertTrue(object.isValid());
        browser.get(nodes.get(1), "/logout");
        assertFalse(object.isValid());
        assertNull(nodes.get(0).manager().findSession(browser.sessionId()));
        nodes.get(0).manager().processExpires();
        assertEquals(0, nodes.get(0).manager().getActiveSessions());
        assertEquals(0, nodes.get(1).manager().getActiveSessions());
    }

    @Test
    void aNewIdKeepsTheAttributesAndTheOldOneIsRefusedEverywhere() {
        browser.get(nodes.get(0), "/login?name=ann");
        browser.get(nodes.get(1), "/who");
        String oldId = browser.sessionId();
        browser.get(nodes.get(0), "/rotate");
        assertNotEquals(oldId, browser.sessionId());
        assertEquals("ann", browser.get(nodes.get(1), "/who"));
        assertEquals("ann", browser.get(nodes.get(0), "/who"));
        for (TomcatNode node : nodes) {
            assertEquals("nobody", Browser.bearing(oldId).get(node, "/who"));
            assertEquals(1, node.manager().getActiveSessions());
        }
    }

    @Test
    void theClientOfASupersededIdGetsTheCurrentOneAndThenTheSupersededOneFindsNothing() throws Exception {
        for (int attempt = 0; attempt < 200; attempt++) {
            Browser first = new Browser();
            first.get(nodes.get(0), "/login?name=ann");
            assertEquals("ann", first.get(nodes.get(1), "/who"));
            Browser second = Browser.bearing(first.sessionId());
            CompletableFuture<HttpResponse<String>> one = first.start(nodes.get(0), "/rotate-together");
            CompletableFuture<HttpResponse<String>> other = second.start(nodes.get(1), "/rotate-together");
            assertEquals(200, one.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
            assertEquals(
                    200, other.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
            if (first.sessionId().equals(second.sessionId())
                    || !found(first.sessionId())
                    || !found(second.sessionId())) {
                continue; // One node knew of the other's change before it made its own.
            }
            String current =
                    nodes.get(0).manager().findSession(first.sessionId()).getId();
            Browser loser = first.sessionId().equals(current) ? second : first;
            Browser late = Browser.bearing(loser.sessionId());
            assertEquals("ann", loser.get(nodes.get(1), "/who"));
            assertEquals(current, loser.sessionId(), "the response bears the current id");
            for (TomcatNode node : nodes) {
                assertEquals("nobody", late.get(node, "/who"));
                assertEquals("ann", loser.get(node, "/who"));
            }
            return;
        }
        fail("no two changes of an id were concurrent");
    }

    private boolean found(String id) {
        return nodes.stream().allMatch(node -> node.manager().findSession(id) != null);
    }

    @Test
    void anIdleSessionIsExpiredByItsOwnerAndGoneEverywhere() {
        browser.get(nodes.get(1), "/login?name=ann");
        browser.get(nodes.get(0), "/login?name=ann&seconds=1");
        TomcatNode other = nodes.get(1);
        Await.that("the session expires", () -> {
            other.manager().processExpires();
            assertEquals(
                    0,
                    other.understudy().metrics().value(Counter.ENDS_FIRED),
                    "only the node that used it last may end it");
            nodes.get(0).manager().processExpires();
            return !destroyed.isEmpty();
        });
        for (TomcatNode node : nodes) {
            Await.that("it is gone", () -> node.manager().getActiveSessionsFull() == 0);
            assertEquals("nobody", browser.get(node, "/who"));
            node.manager().processExpires();
        }
        assertEquals(List.of("ann"), destroyed);
    }

    @Test
    void expiredIdsAreAnsweredWhileListenersRun() {
        gate = new CountDownLatch(1);
        List<Browser> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Browser client = new Browser();
            client.get(nodes.get(0), "/login?name=client" + i + "&seconds=1");
            clients.add(client);
        }
        for (TomcatNode node : nodes) {
            Await.that(
                    "nobody may use them",
                    () -> clients.stream().allMatch(client -> node.manager().findSession(client.sessionId()) == null));
        }
        CompletableFuture<Void> expiring = expire(nodes.get(0));
        Await.that("listeners run", () -> !destroyed.isEmpty());
        for (TomcatNode node : nodes) {
            for (Browser client : clients) {
                assertEquals("nobody", client.twin().get(node, "/who"));
            }
        }
        gate.countDown();
        expiring.join();
        Await.that("all are over", () -> {
            nodes.get(0).manager().processExpires();
            return nodes.stream().allMatch(node -> node.manager().getActiveSessionsFull() == 0);
        });
        assertEquals(20, destroyed.size());
        assertEquals(20, destroyed.stream().distinct().count());
    }

    /** As Tomcat does now and then, until the first listener of a session that is due is told. */
    private CompletableFuture<Void> expire(TomcatNode node) {
        return Beside.run(() -> Await.that("a session is due", () -> {
            node.manager().processExpires();
            return !destroyed.isEmpty();
        }));
    }

    @Test
    void sessionsOutliveANodeThatStopsInOrder() {
        browser.get(nodes.get(0), "/login?name=ann");
        nodes.remove(0).close();
        assertEquals("ann", browser.get(nodes.get(0), "/who"));
        assertEquals(List.of(), destroyed);
    }

    @Test
    void theManagerApplicationsViewCoversTheWholeCluster() throws Exception {
        browser.get(nodes.get(0), "/login?name=ann");
        UnderstudyManager other = nodes.get(1).manager();
        assertEquals(0, other.getActiveSessions());
        assertEquals(1, other.getActiveSessionsFull());
        assertTrue(other.getSessionIdsFull().contains(browser.sessionId()));
        assertNotNull(other.findSession(browser.sessionId()));
        other.expireSession(browser.sessionId());
        assertEquals("nobody", browser.get(nodes.get(0), "/who"));
    }

    private void awaitGate() {
        try {
            assertTrue(gate.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Pages pages() {
        return new Pages()
                .with(context -> context.addApplicationLifecycleListener(new HttpSessionListener() {
                    @Override
                    public void sessionDestroyed(HttpSessionEvent event) {
                        destroyed.add((String) event.getSession().getAttribute("name"));
                        awaitGate();
                    }
                }))
                .on("/login", (request, response) -> {
                    HttpSession session = request.getSession();
                    session.setAttribute("name", request.getParameter("name"));
                    if (request.getParameter("seconds") != null) {
                        session.setMaxInactiveInterval(Integer.parseInt(request.getParameter("seconds")));
                    }
                })
                .on("/who", (request, response) -> {
                    HttpSession session = request.getSession(false);
                    response.getWriter().print(session == null ? "nobody" : session.getAttribute("name"));
                })
                .on("/logout", (request, response) -> request.getSession().invalidate())
                .on("/logout-together", (request, response) -> {
                    HttpSession session = request.getSession();
                    together.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    try {
                        session.invalidate();
                    } catch (IllegalStateException e) {
                        response.getWriter().print("was over"); // As of a session that ended on this node.
                    }
                })
                .on("/rotate-together", (request, response) -> {
                    request.getSession();
                    together.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    request.changeSessionId();
                })
                .on("/rotate", (request, response) -> request.changeSessionId())
                .on("/write-held", (request, response) -> {
                    HttpSession session = request.getSession();
                    session.setAttribute("half", "done");
                    touched.countDown();
                    if (!finish.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                        throw new IllegalStateException("nobody let this request finish");
                    }
                    try {
                        session.setAttribute("name", "bob");
                    } catch (IllegalStateException e) {
                        response.getWriter().print("no longer valid");
                    }
                });
    }
}
