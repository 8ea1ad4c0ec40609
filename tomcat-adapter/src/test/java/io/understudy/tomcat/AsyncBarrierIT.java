package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.core.StandardContext;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The client has not all of the response to an asynchronous request before the other member has what changed until the
 * request was complete, whichever thread changed it. Each request asks for that; the application does not.
 */
@Tag("container")
class AsyncBarrierIT {

    private static final long LIMIT_SECONDS = Await.LIMIT.toSeconds();

    /** The application that has an error page. */
    private static final String PAGED = "/paged";

    private static final Semaphore CHANGED = new Semaphore(0);
    private static final Semaphore MAY_RETURN = new Semaphore(0);
    private static final BlockingQueue<AsyncContext> POLLS = new LinkedBlockingQueue<>();

    private static Cluster cluster;
    private static List<TomcatNode> nodes;
    private static TomcatNode node;

    private final Browser browser = new Browser();

    @BeforeAll
    static void start() {
        cluster = Cluster.of(2, Map.of(Setting.COHERENCE, "incoherent"));
        nodes = TomcatNode.start(cluster, 2, pages());
        node = nodes.get(0);
        nodes.forEach(each -> each.deploy(PAGED, "", pages().with(AsyncBarrierIT::showErrors)));
        nodes.forEach(TomcatNode::awaitReady);
    }

    @AfterAll
    static void stop() {
        nodes.forEach(TomcatNode::close);
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/inline, 200",
        "/set, 200",
        "/in-place, 200",
        "/timeout, 200",
        "/error, 500",
        "/complete-listener, 200",
        "/dispatch, 200"
    })
    void theResponseWaitsForTheOtherMember(String path, int status) throws Exception {
        HttpResponse<String> response = waits(node, path);
        assertEquals(status, response.statusCode(), response::body);
        assertEquals("1", browser.get(nodes.get(1), "/number"));
    }

    /** Tomcat shows it outside of the pipeline, and finishes the response behind it. */
    @Test
    void theErrorPageOfATimeoutWaitsForTheOtherMember() throws Exception {
        HttpResponse<String> response = waits(paged(0), "/timeout-page");
        assertEquals(500, response.statusCode());
        assertEquals("error", response.body());
        assertEquals("1", browser.get(paged(1), "/number"));
    }

    private static Browser.Server paged(int at) {
        return path -> nodes.get(at).uri("/").resolve(PAGED + path);
    }

    private HttpResponse<String> waits(Browser.Server server, String path) throws Exception {
        begin(server);
        CompletableFuture<HttpResponse<String>> response;
        try (Fault paused = cluster.pause(1)) {
            long degraded = degraded();
            response = browser.start(server, path);
            assertTrue(CHANGED.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), paused::toString);
            HeldResponse.assertHeld(node, response, degraded);
        }
        return response.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** The other request is in the middle of its pass: its own barrier is to come. */
    @Test
    void theResponseWaitsForWhatTheRequestChangedThatCompletesIt() throws Exception {
        for (String change : List.of("/completing-set", "/completing-in-place")) {
            begin(node);
            CompletableFuture<HttpResponse<String>> polled = browser.start(node, "/poll");
            assertTrue(CHANGED.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), "the poll waits");
            CompletableFuture<HttpResponse<String>> completing;
            try {
                try (Fault paused = cluster.pause(1)) {
                    long degraded = degraded();
                    completing = browser.start(node, change);
                    assertTrue(CHANGED.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), paused::toString);
                    HeldResponse.assertHeld(node, polled, degraded);
                }
                assertEquals("done", polled.get(LIMIT_SECONDS, TimeUnit.SECONDS).body());
                assertEquals("1", browser.get(nodes.get(1), "/number"), change);
            } finally {
                MAY_RETURN.release();
            }
            assertEquals(200, completing.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
        }
    }

    /** Setting the attribute waits by itself; the change in place after it does not. */
    @Test
    void theResponseWaitsForTheSessionThatAThreadOfTheRequestCreated() throws Exception {
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response = browser.start(node, "/created");
        assertTrue(CHANGED.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), "the attribute is set");
        try (Fault paused = cluster.pause(1)) {
            long degraded = degraded();
            MAY_RETURN.release();
            assertTrue(CHANGED.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), paused::toString);
            HeldResponse.assertHeld(node, response, degraded);
        } finally {
            MAY_RETURN.drainPermits();
        }
        assertEquals(200, response.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
        assertEquals("1", browser.get(nodes.get(1), "/number"));
    }

    private void begin(Browser.Server server) {
        assertEquals("done", browser.get(server, "/begin"));
        CHANGED.drainPermits();
    }

    private static long degraded() {
        return node.understudy().metrics().value(Counter.RESPONSES_DEGRADED);
    }

    private static Pages pages() {
        return new Pages()
                .on("/begin", (request, response) -> {
                    begin(request).setAttribute("numbers", new int[1]);
                    response.getWriter().print("done");
                })
                .on(
                        "/number",
                        (request, response) -> response.getWriter()
                                .print(((int[]) request.getSession().getAttribute("numbers"))[0]))
                .on("/inline", (request, response) -> {
                    HttpSession session = begin(request);
                    AsyncContext async = begin(request, response);
                    inPlace(session);
                    async.complete();
                })
                .on("/set", (request, response) -> {
                    HttpSession session = begin(request);
                    AsyncContext async = begin(request, response);
                    async.start(() -> {
                        set(session);
                        async.complete();
                    });
                })
                .on("/in-place", (request, response) -> {
                    HttpSession session = begin(request);
                    AsyncContext async = begin(request, response);
                    async.start(() -> {
                        inPlace(session);
                        async.complete();
                    });
                })
                .on("/created", (request, response) -> {
                    AsyncContext async = begin(request, response);
                    request.setAttribute("io.understudy.coherence", "coherent");
                    async.start(() -> {
                        HttpSession session = request.getSession();
                        session.setAttribute("numbers", new int[1]);
                        CHANGED.release();
                        MAY_RETURN.acquireUninterruptibly();
                        inPlace(session);
                        async.complete();
                    });
                })
                .on("/timeout", (request, response) -> {
                    HttpSession session = begin(request);
                    AsyncContext async = begin(request, response);
                    async.setTimeout(100);
                    async.addListener(new Listener(session, true));
                })
                .on("/error", (request, response) -> {
                    HttpSession session = begin(request);
                    AsyncContext async = begin(request, response);
                    async.addListener(new Listener(session, true));
                    throw new IllegalStateException("on purpose, of an asynchronous request");
                })
                .on("/timeout-page", (request, response) -> {
                    begin(request);
                    request.startAsync().setTimeout(100);
                })
                .on("/error-page", (request, response) -> {
                    inPlace(request.getSession());
                    response.getWriter().print("error");
                })
                .on("/complete-listener", (request, response) -> {
                    HttpSession session = begin(request);
                    AsyncContext async = begin(request, response);
                    async.addListener(new Listener(session, false));
                    async.start(async::complete);
                })
                .on("/dispatch", (request, response) -> {
                    HttpSession session = begin(request);
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        inPlace(session);
                        async.dispatch("/done");
                    });
                })
                .on("/done", (request, response) -> response.getWriter().print("done"))
                .on("/poll", (request, response) -> {
                    request.setAttribute("io.understudy.coherence", "coherent");
                    POLLS.add(begin(request, response));
                    CHANGED.release();
                })
                .on("/completing-set", (request, response) -> {
                    set(begin(request));
                    awaitReturn(POLLS.take());
                })
                .on("/completing-in-place", (request, response) -> {
                    inPlace(begin(request));
                    awaitReturn(POLLS.take());
                });
    }

    private static void showErrors(StandardContext context) {
        ErrorPage page = new ErrorPage();
        page.setErrorCode(500);
        page.setLocation("/error-page");
        context.addErrorPage(page);
    }

    private static void awaitReturn(AsyncContext polled) throws InterruptedException {
        polled.complete();
        assertTrue(MAY_RETURN.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), "the test goes on");
    }

    private static HttpSession begin(HttpServletRequest request) {
        request.setAttribute("io.understudy.coherence", "coherent");
        return request.getSession();
    }

    private static AsyncContext begin(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        response.getWriter().print("done");
        return async;
    }

    private static void set(HttpSession session) {
        session.setAttribute("numbers", new int[] {1});
        CHANGED.release();
    }

    private static void inPlace(HttpSession session) {
        ((int[]) session.getAttribute("numbers"))[0]++;
        CHANGED.release();
    }

    /** Changes the session, at the end or before it. */
    private record Listener(HttpSession session, boolean completing) implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) {
            completes(event);
        }

        @Override
        public void onError(AsyncEvent event) {
            completes(event);
        }

        private void completes(AsyncEvent event) {
            inPlace(session);
            event.getAsyncContext().complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {
            if (!completing) {
                inPlace(session);
            }
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
