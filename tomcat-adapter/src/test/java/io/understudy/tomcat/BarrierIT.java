package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import jakarta.servlet.http.HttpServletRequest;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What only Tomcat does of {@code AcknowledgementContract}: the client has not all of a response before the other
 * member has the change.
 */
@Tag("container")
class BarrierIT {

    private static final Semaphore CHANGED = new Semaphore(0);

    private static Cluster cluster;
    private static List<TomcatNode> nodes;
    private static TomcatNode node;

    private final Browser browser = new Browser();

    @BeforeAll
    static void start() {
        cluster = Cluster.of(2, Map.of());
        nodes = TomcatNode.start(cluster, 2, pages());
        node = nodes.get(0);
    }

    @AfterAll
    static void stop() {
        nodes.forEach(TomcatNode::close);
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({"/secured, login", "/mutated, done"})
    void theResponseWaitsForTheOtherMember(String path, String body) throws Exception {
        assertEquals("done", browser.get(node, "/returned"));
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response;
        long degraded = degraded();
        Fault paused = cluster.pause(1);
        try {
            response = browser.start(node, path);
            assertTrue(CHANGED.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the page ran");
            HeldResponse.assertHeld(node, response, degraded);
        } finally {
            paused.close();
        }
        assertEquals(
                200, response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
        assertEquals(body, response.get().body());
    }

    @Test
    void theResponseToHeadWaitsWithItsHeaders() throws Exception {
        assertEquals("done", browser.get(node, "/returned"));
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response;
        long degraded = degraded();
        Fault paused = cluster.pause(1);
        try {
            response = browser.startHead(node, "/flushed");
            assertTrue(CHANGED.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "the page ran");
            HeldResponse.assertHeld(node, response, degraded);
        } finally {
            paused.close();
        }
        assertEquals(
                200, response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).statusCode());
    }

    private static long degraded() {
        return node.understudy().metrics().value(Counter.RESPONSES_DEGRADED);
    }

    private static Pages pages() {
        return new Pages()
                .with(LoginIT::secure)
                .on("/login", (request, response) -> {
                    CHANGED.release(); // The authenticator noted what it interrupted.
                    response.setContentLength(5);
                    response.getWriter().print("login");
                    response.flushBuffer();
                })
                .on("/returned", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                })
                .on("/flushed", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                    response.flushBuffer();
                })
                .on("/mutated", (request, response) -> {
                    ((int[]) request.getSession().getAttribute("numbers"))[0]++;
                    CHANGED.release();
                    try (PrintWriter writer = response.getWriter()) {
                        writer.print("done");
                    }
                });
    }

    private static void change(HttpServletRequest request) {
        request.getSession().setAttribute("changed", System.nanoTime());
        if (request.getSession().getAttribute("numbers") == null) {
            request.getSession().setAttribute("numbers", new int[1]);
        }
        CHANGED.release();
    }
}
