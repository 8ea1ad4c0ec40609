package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens to a response when the other member does not acknowledge in time. */
@Tag("container")
class DegradedIT {

    private final AtomicReference<Object> degraded = new AtomicReference<>();
    private final Browser browser = new Browser();
    private Cluster cluster;
    private TomcatNode node;

    private void start(String onDegraded) {
        cluster = Cluster.of(
                2,
                Map.of(Setting.ACK_TIMEOUT, "500ms", Setting.ON_DEGRADED, onDegraded, Setting.COHERENCE, "coherent"));
        node = TomcatNode.start(cluster, 2, pages()).get(0);
    }

    @AfterEach
    void stop() {
        cluster.close();
        node.close();
    }

    @Test
    void theApplicationIsToldAndTheResponseProceeds() throws Exception {
        start("proceed");
        assertEquals("done", browser.get(node, "/closed"));
        assertNull(degraded.get());
        try (Fault paused = cluster.pause(1)) {
            assertEquals("done", browser.get(node, "/closed"), paused::toString);
        }
        // The client has the response when the writer is closed, the application notes the attribute after that.
        Await.that("the application is told", () -> Boolean.TRUE.equals(degraded.get()));
    }

    @Test
    void theResponseIsRefusedIfNothingOfItHasLeft() throws Exception {
        start("refuse");
        assertEquals("done", browser.get(node, "/returned"));
        try (Fault paused = cluster.pause(1)) {
            for (String path : List.of("/returned", "/closed", "/length")) {
                HttpResponse<String> refused = browser.send(node, path);
                assertEquals(503, refused.statusCode(), path);
                assertTrue(refused.headers().firstValue("Retry-After").isPresent(), path);
            }
            assertEquals("done", browser.get(node, "/flushed"), paused::toString);
        }
    }

    private Pages pages() {
        return new Pages()
                .on("/returned", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                })
                .on("/closed", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                    response.getWriter().close();
                    degraded.set(request.getAttribute("io.understudy.degraded"));
                })
                .on("/length", (request, response) -> {
                    change(request);
                    response.setContentLength(4);
                    response.getWriter().print("done");
                })
                .on("/flushed", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                    response.flushBuffer();
                });
    }

    private static void change(HttpServletRequest request) {
        request.getSession().setAttribute("changed", System.nanoTime());
    }
}
