package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a request on one node changes is there for the immediately next request on another. */
@Tag("container")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicationIT {

    private volatile CountDownLatch touched;
    private volatile CountDownLatch finish;
    private Browser browser;
    private List<TomcatNode> nodes;

    @BeforeAll
    void start() {
        nodes = TomcatNode.start(2, pages());
    }

    @BeforeEach
    void open() {
        touched = new CountDownLatch(1);
        finish = new CountDownLatch(1);
        browser = new Browser();
    }

    @AfterAll
    void stop() {
        nodes.forEach(TomcatNode::close);
    }

    @Test
    void runsOnTheIntendedTomcat() {
        assertEquals(System.getProperty("understudy.test.tomcat") + ".0", ServerInfo.getServerNumber());
    }

    @Test
    void attributesSetAndRemovedAreSeenOnTheOtherNode() {
        browser.get(nodes.get(0), "/set?name=colour&value=red");
        assertEquals("red", browser.get(nodes.get(1), "/get?name=colour"));
        browser.get(nodes.get(1), "/set?name=colour&value=green");
        assertEquals("green", browser.get(nodes.get(0), "/get?name=colour"));
        browser.get(nodes.get(0), "/remove?name=colour");
        assertEquals("null", browser.get(nodes.get(1), "/get?name=colour"));
    }

    @Test
    void mutationInPlaceIsSeenOnTheOtherNode() {
        browser.get(nodes.get(0), "/add?item=tea");
        for (int i = 0; i < 10; i++) {
            browser.get(nodes.get(i % 2), "/add?item=cup" + i);
        }
        assertEquals(
                "[tea, cup0, cup1, cup2, cup3, cup4, cup5, cup6, cup7, cup8, cup9]",
                browser.get(nodes.get(0), "/cart"));
        assertEquals(browser.get(nodes.get(0), "/cart"), browser.get(nodes.get(1), "/cart"));
    }

    @Test
    void aPlainReadThatBeganBeforeAWriteUndoesNothing() throws Exception {
        browser.get(nodes.get(0), "/add?item=tea");
        CompletableFuture<HttpResponse<String>> reading = browser.start(nodes.get(1), "/cart-held");
        assertTrue(touched.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        browser.get(nodes.get(0), "/add?item=cup");
        finish.countDown();
        assertEquals(
                "[tea]", reading.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).body());
        assertEquals("[tea, cup]", browser.get(nodes.get(1), "/cart"));
        assertEquals("[tea, cup]", browser.get(nodes.get(0), "/cart"));
    }

    @Test
    void aPlainReadDuringARunningWriteUndoesNothing() throws Exception {
        browser.get(nodes.get(0), "/add?item=tea");
        CompletableFuture<HttpResponse<String>> writing = browser.start(nodes.get(0), "/add-held?item=cup");
        assertTrue(touched.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertEquals("[tea]", browser.get(nodes.get(1), "/cart"));
        finish.countDown();
        assertEquals(200, writing.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertEquals("[tea, cup]", browser.get(nodes.get(1), "/cart"));
        assertEquals("[tea, cup]", browser.get(nodes.get(0), "/cart"));
    }

    @Test
    void aSessionIsNewOnlyBeforeTheClientJoinedIt() {
        assertEquals("true", browser.get(nodes.get(0), "/new"));
        assertEquals("false", browser.get(nodes.get(1), "/new"));
        assertEquals("false", browser.get(nodes.get(0), "/new"));
    }

    @Test
    void timesAndTimeoutGoOnOnTheOtherNode() {
        String here = browser.get(nodes.get(0), "/timeout?seconds=77");
        assertTrue(here.startsWith("77 "), here);
        assertEquals(here, browser.get(nodes.get(1), "/timeout"));
    }

    @Test
    void whatCannotBeEncodedStaysAndTheRestReplicates() {
        browser.get(nodes.get(0), "/thread");
        assertEquals("red", browser.get(nodes.get(1), "/get?name=colour"));
        assertEquals("null", browser.get(nodes.get(1), "/get?name=thread"));
        assertTrue(browser.get(nodes.get(0), "/get?name=thread").startsWith("Thread"));
    }

    @Test
    void attributesThatTomcatsFilterExcludesStayOnTheirNode() {
        nodes.forEach(node -> node.manager().setSessionAttributeNameFilter("(?!local).*"));
        browser.get(nodes.get(0), "/set?name=colour&value=red");
        browser.get(nodes.get(0), "/set?name=local&value=here");
        assertEquals("red", browser.get(nodes.get(1), "/get?name=colour"));
        assertEquals("null", browser.get(nodes.get(1), "/get?name=local"));
        assertEquals("here", browser.get(nodes.get(0), "/get?name=local"));
        browser.get(nodes.get(0), "/remove?name=local");
        assertEquals("null", browser.get(nodes.get(0), "/get?name=local"));
        nodes.forEach(node -> node.manager().setSessionAttributeNameFilter(null));
    }

    private Pages pages() {
        return new Pages()
                // The container's own check for Serializable must not get in the way.
                .with(context -> context.setDistributable(true))
                .on(
                        "/set",
                        (request, response) -> request.getSession()
                                .setAttribute(request.getParameter("name"), request.getParameter("value")))
                .on(
                        "/get",
                        (request, response) -> response.getWriter()
                                .print(request.getSession(false).getAttribute(request.getParameter("name"))))
                .on(
                        "/remove",
                        (request, response) -> request.getSession().removeAttribute(request.getParameter("name")))
                .on("/add", (request, response) -> cart(request).add(new Item(request.getParameter("item"))))
                .on("/cart", (request, response) -> response.getWriter().print(cart(request)))
                .on("/add-held", (request, response) -> {
                    cart(request).add(new Item(request.getParameter("item")));
                    hold();
                })
                .on("/cart-held", (request, response) -> {
                    String cart = cart(request).toString();
                    hold();
                    response.getWriter().print(cart);
                })
                .on(
                        "/new",
                        (request, response) ->
                                response.getWriter().print(request.getSession().isNew()))
                .on("/timeout", (request, response) -> {
                    HttpSession session = request.getSession();
                    if (request.getParameter("seconds") != null) {
                        session.setMaxInactiveInterval(Integer.parseInt(request.getParameter("seconds")));
                    }
                    response.getWriter().print(session.getMaxInactiveInterval() + " " + session.getId());
                })
                .on("/thread", (request, response) -> {
                    request.getSession().setAttribute("thread", Thread.currentThread());
                    request.getSession().setAttribute("colour", "red");
                });
    }

    private void hold() throws InterruptedException {
        touched.countDown();
        if (!finish.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody let this request finish");
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Item> cart(HttpServletRequest request) {
        HttpSession session = request.getSession();
        if (session.getAttribute("cart") == null) {
            session.setAttribute("cart", new ArrayList<Item>());
        }
        return (List<Item>) session.getAttribute("cart");
    }

    private record Item(String name) implements Serializable {
        @Override
        public String toString() {
            return name;
        }
    }
}
