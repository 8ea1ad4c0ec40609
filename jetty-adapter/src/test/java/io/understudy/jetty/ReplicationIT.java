package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.Browser;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one node changed is there on the next request, whichever node answers that. */
@Tag("container")
@Timeout(300)
final class ReplicationIT {

    private static JettyCluster cluster;

    /** Lets a test hold a request inside the application. */
    private static volatile CountDownLatch inside = new CountDownLatch(0);

    private static volatile CountDownLatch leave = new CountDownLatch(0);

    @BeforeAll
    static void start() {
        cluster = JettyCluster.of(3)
                .tune(context -> {
                    // As web applications have it.
                    context.setErrorHandler(new ErrorPageErrorHandler());
                    return context;
                })
                .on(
                        "/set",
                        (request, response) -> request.getSession()
                                .setAttribute(request.getParameter("name"), request.getParameter("value")))
                .on(
                        "/get",
                        (request, response) ->
                                print(response, session(request).getAttribute(request.getParameter("name"))))
                .on("/remove", (request, response) -> session(request).removeAttribute(request.getParameter("name")))
                .on(
                        "/names",
                        (request, response) -> print(
                                response,
                                java.util.Collections.list(session(request).getAttributeNames())))
                .on(
                        "/new",
                        (request, response) ->
                                print(response, request.getSession().isNew()))
                .on("/cart", (request, response) -> {
                    request.getSession().setAttribute("cart", new ArrayList<>(List.of("apple")));
                })
                .on("/cart/add", (request, response) -> cart(request).add(request.getParameter("item")))
                .on("/cart/show", (request, response) -> print(response, cart(request)))
                .on("/cart/add-slowly", (request, response) -> {
                    List<String> cart = cart(request);
                    hold();
                    cart.add(request.getParameter("item"));
                })
                .on("/cart/show-slowly", (request, response) -> {
                    List<String> cart = cart(request);
                    hold();
                    print(response, cart);
                })
                .on("/cart/add-after-flush", (request, response) -> {
                    List<String> cart = cart(request);
                    response.getWriter().print("head");
                    response.flushBuffer();
                    cart.add(request.getParameter("item"));
                    response.getWriter().print("tail");
                })
                .on("/cart/add-async", (request, response) -> {
                    AsyncContext async = request.startAsync();
                    HttpSession session = session(request);
                    String item = request.getParameter("item");
                    async.start(() -> {
                        cart(session).add(item);
                        async.complete();
                    });
                })
                .on("/refuse", (request, response) -> {
                    session(request).setAttribute("a", request.getParameter("value"));
                    response.sendError(409, "refused");
                })
                .on("/throw", (request, response) -> {
                    session(request).setAttribute("a", request.getParameter("value"));
                    throw new IllegalArgumentException("thrown");
                })
                .on("/count", (request, response) -> {
                    HttpSession session = request.getSession();
                    Integer count = (Integer) session.getAttribute("count");
                    session.setAttribute("count", count == null ? 1 : count + 1);
                    print(response, session.getAttribute("count"));
                })
                .start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void anAttributeSetOnOneNodeIsReadOnTheNextRequestToAnother() {
        Browser browser = new Browser();
        for (int i = 0; i < 50; i++) {
            browser.get(cluster.node(i % 3), "/app/set?name=a&value=" + i);
            assertEquals("" + i, browser.get(cluster.node((i + 1) % 3), "/app/get?name=a"));
        }
    }

    @Test
    void anAttributeRemovedOnOneNodeIsGoneOnAnother() {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set?name=kept&value=1");
        browser.get(cluster.node(0), "/app/set?name=gone&value=1");
        browser.get(cluster.node(1), "/app/get?name=gone");
        browser.get(cluster.node(2), "/app/remove?name=gone");
        for (JettyNode node : cluster.nodes()) {
            assertEquals("null", browser.get(node, "/app/get?name=gone"));
            assertEquals("[kept]", browser.get(node, "/app/names"));
        }
    }

    @Test
    void aMutationInPlaceIsThereOnTheNextRequestToAnotherNode() {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/cart");
        browser.get(cluster.node(1), "/app/cart/add?item=pear");
        assertEquals("[apple, pear]", browser.get(cluster.node(2), "/app/cart/show"));
        browser.get(cluster.node(0), "/app/cart/add?item=plum");
        assertEquals("[apple, pear, plum]", browser.get(cluster.node(1), "/app/cart/show"));
        assertEquals("[apple, pear, plum]", browser.get(cluster.node(2), "/app/cart/show"));
    }

    @Test
    void aReadOnAnotherNodeWhileAWriteRunsUndoesNothing() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/cart");
        CompletableFuture<HttpResponse<String>> writing =
                held(browser, cluster.node(0), "/app/cart/add-slowly?item=pear");
        assertEquals("[apple]", browser.get(cluster.node(1), "/app/cart/show"));
        leave.countDown();
        assertEquals(200, writing.join().statusCode());
        assertEquals("[apple, pear]", browser.get(cluster.node(1), "/app/cart/show"));
        assertEquals("[apple, pear]", browser.get(cluster.node(0), "/app/cart/show"));
    }

    @Test
    void aReadThatEndsAfterAWriteOnAnotherNodeUndoesNothing() throws Exception {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/cart");
        CompletableFuture<HttpResponse<String>> reading = held(browser, cluster.node(1), "/app/cart/show-slowly");
        browser.get(cluster.node(0), "/app/cart/add?item=pear");
        leave.countDown();
        assertEquals("[apple]", reading.join().body(), "what a running request has read is not replaced under it");
        for (JettyNode node : cluster.nodes()) {
            assertEquals("[apple, pear]", browser.get(node, "/app/cart/show"));
        }
    }

    @Test
    void aChangeMadeAfterTheHeadWasFlushedIsThereWhenTheBodyIsComplete() {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/cart");
        for (int i = 0; i < 20; i++) {
            assertEquals("headtail", browser.get(cluster.node(i % 3), "/app/cart/add-after-flush?item=" + i));
            String cart = browser.get(cluster.node((i + 1) % 3), "/app/cart/show");
            assertTrue(cart.endsWith(", " + i + "]"), cart);
        }
    }

    @Test
    void aChangeMadeByAnAsynchronousRequestIsThereWhenItCompletes() {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/cart");
        for (int i = 0; i < 20; i++) {
            browser.get(cluster.node(i % 3), "/app/cart/add-async?item=" + i);
            String cart = browser.get(cluster.node((i + 1) % 3), "/app/cart/show");
            assertTrue(cart.endsWith(", " + i + "]"), cart);
        }
    }

    @ParameterizedTest
    @CsvSource({"refuse, 409, refused", "throw, 500, thrown"})
    void anErrorArrivesWhenTheOthersHaveWhatWasChangedBeforeIt(String path, int status, String message) {
        Browser browser = new Browser();
        browser.get(cluster.node(0), "/app/set?name=a&value=none");
        for (int i = 0; i < 30; i++) {
            HttpResponse<String> error = browser.send(cluster.node(i % 3), "/app/" + path + "?value=" + i);
            assertEquals(status, error.statusCode());
            assertTrue(error.body().contains(message), error::body);
            assertEquals("" + i, browser.get(cluster.node((i + 1) % 3), "/app/get?name=a"));
        }
    }

    @Test
    void aSessionIsNewOnlyForTheRequestThatCreatedIt() {
        Browser browser = new Browser();
        assertEquals("true", browser.get(cluster.node(0), "/app/new"));
        assertEquals("false", browser.get(cluster.node(1), "/app/new"));
        assertEquals("false", browser.get(cluster.node(0), "/app/new"));
    }

    @Test
    void countersOfManyBrowsersThatChangeTheNodeWithEachRequestAreExact() {
        int browsers = 8;
        int requests = 60;
        List<CompletableFuture<String>> last = IntStream.range(0, browsers)
                .mapToObj(i -> Beside.get(() -> {
                    Browser browser = new Browser();
                    String count = "";
                    for (int j = 0; j < requests; j++) {
                        count = browser.get(cluster.node((i + j) % 3), "/app/count");
                    }
                    return count;
                }))
                .toList();
        last.forEach(count -> assertEquals("" + requests, count.join()));
    }

    private static CompletableFuture<HttpResponse<String>> held(Browser browser, JettyNode node, String path)
            throws InterruptedException {
        inside = new CountDownLatch(1);
        leave = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> response = browser.start(node, path);
        assertTrue(inside.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the request got into the application");
        return response;
    }

    private static void hold() throws InterruptedException {
        inside.countDown();
        assertTrue(leave.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the test let the request go on");
    }

    private static HttpSession session(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session == null) {
            throw new AssertionError("the session is lost");
        }
        return session;
    }

    private static List<String> cart(HttpServletRequest request) {
        return cart(session(request));
    }

    @SuppressWarnings("unchecked")
    private static List<String> cart(HttpSession session) {
        return (List<String>) session.getAttribute("cart");
    }

    private static void print(HttpServletResponse response, Object value) throws IOException {
        response.getWriter().print(value);
    }
}
