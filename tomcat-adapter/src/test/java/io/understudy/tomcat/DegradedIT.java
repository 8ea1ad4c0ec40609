package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to a response when the other member does not acknowledge in time. */
@Tag("container")
class DegradedIT {

    /**
     * What the application was told of its response.
     *
     * @param degraded the attribute
     * @param counted degraded responses of the node by then
     */
    private record Told(@Nullable Object degraded, long counted) {}

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private final Browser browser = new Browser();

    @TempDir
    private Path directory;

    private volatile @Nullable PrintWriter kept;
    private Cluster cluster;
    private List<TomcatNode> nodes;
    private TomcatNode node;

    private void start(String onDegraded) {
        cluster = Cluster.of(
                2,
                Map.of(Setting.ACK_TIMEOUT, "500ms", Setting.ON_DEGRADED, onDegraded, Setting.COHERENCE, "coherent"));
        nodes = TomcatNode.start(cluster, 2, pages());
        node = nodes.get(0);
    }

    @AfterEach
    void stop() {
        cluster.close();
        nodes.forEach(TomcatNode::close);
    }

    @Test
    void theApplicationIsToldAndTheResponseProceeds() throws Exception {
        start("proceed");
        assertEquals("done", browser.get(node, "/closed"));
        Told first = told();
        // On a machine that stands still its acknowledgement may come too late; the node counts it as degraded then.
        assertEquals(first.counted() == 0 ? null : true, first.degraded());
        try (Fault paused = cluster.pause(1)) {
            assertEquals("done", browser.get(node, "/closed"), paused::toString);
            assertEquals(true, told().degraded(), paused::toString);
        }
    }

    /** The client has the response when the writer is closed; the application notes what it was told after that. */
    private Told told() throws InterruptedException {
        return Objects.requireNonNull(
                told.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS), "the application noted nothing");
    }

    @Test
    void theResponseIsRefusedIfNothingOfItHasLeft() throws Exception {
        start("refuse");
        // It waits for no acknowledgement, which could come too late on a machine that stands still.
        assertEquals("done", browser.get(node, "/begin"));
        Await.that(
                "the other member has the session",
                () -> nodes.get(1).manager().findSession(browser.sessionId()) != null);
        try (Fault paused = cluster.pause(1)) {
            for (String path : List.of("/returned", "/closed", "/length", "/inline", "/thread", "/in-place")) {
                HttpResponse<String> refused = browser.send(node, path);
                assertEquals(503, refused.statusCode(), path);
                assertTrue(refused.headers().firstValue("Retry-After").isPresent(), path);
            }
            assertEquals("done", browser.get(node, "/flushed"), paused::toString);
        }
    }

    @Test
    void aRefusalHasNoFileForItsBody() throws Exception {
        start("refuse");
        assertEquals("done", browser.get(node, "/begin"));
        try (Fault paused = cluster.pause(1)) {
            HttpResponse<String> refused = browser.send(node, "/file");
            assertEquals(503, refused.statusCode(), paused::toString);
            assertFalse(refused.body().contains("for those who have the session"), refused::body);
        }
    }

    /** Tomcat uses the objects of a request and its response for another one. */
    @Test
    void aRequestThatIsOverRefusesNoOther() throws Exception {
        start("refuse");
        assertEquals("done", browser.get(node, "/begin"));
        try (Fault paused = cluster.pause(1)) {
            assertEquals(503, browser.send(node, "/kept").statusCode(), paused::toString);
        }
        assertEquals("done", new Browser().get(node, "/close-kept"));
    }

    @Test
    void aResponseWhoseThreadIsInterruptedIsCounted() throws Exception {
        start("proceed");
        try (Fault paused = cluster.pause(1)) {
            // Java closes the connection that an interrupted thread writes to, so the client may get nothing.
            // The client would send a GET again.
            CompletableFuture<?> unused = browser.startPost(node, "/interrupted");
            assertEquals(new Told(true, 1), told(), paused::toString);
        }
    }

    private Pages pages() {
        return new Pages()
                .on("/begin", (request, response) -> {
                    request.setAttribute("io.understudy.coherence", "incoherent");
                    change(request);
                    request.getSession().setAttribute("time", new long[1]);
                    response.getWriter().print("done");
                })
                .on("/returned", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                })
                .on("/kept", (request, response) -> {
                    change(request);
                    kept = response.getWriter();
                })
                .on("/close-kept", (request, response) -> {
                    try {
                        Objects.requireNonNull(kept).close();
                    } catch (RuntimeException e) {
                        // Tomcat took what the writer writes to away.
                    }
                    response.getWriter().print("done");
                })
                .on("/closed", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                    response.getWriter().close();
                    told.add(new Told(
                            request.getAttribute("io.understudy.degraded"),
                            node.understudy().metrics().value(Counter.RESPONSES_DEGRADED)));
                })
                .on("/interrupted", (request, response) -> {
                    change(request);
                    Thread.currentThread().interrupt();
                    response.getWriter().print("done");
                    response.getWriter().close();
                    boolean unused = Thread.interrupted(); // Tomcat's thread goes on with other requests.
                    told.add(new Told(
                            request.getAttribute("io.understudy.degraded"),
                            node.understudy().metrics().value(Counter.RESPONSES_DEGRADED)));
                })
                .on("/inline", (request, response) -> {
                    AsyncContext async = request.startAsync();
                    change(request);
                    response.getWriter().print("done");
                    async.complete();
                })
                .on("/thread", (request, response) -> {
                    HttpSession session = request.getSession();
                    AsyncContext async = request.startAsync();
                    response.getWriter().print("done");
                    async.start(() -> {
                        session.setAttribute("changed", System.nanoTime());
                        async.complete();
                    });
                })
                .on("/in-place", (request, response) -> {
                    HttpSession session = request.getSession();
                    AsyncContext async = request.startAsync();
                    response.getWriter().print("done");
                    async.start(() -> {
                        ((long[]) session.getAttribute("time"))[0] = System.nanoTime();
                        async.complete();
                    });
                })
                .on("/length", (request, response) -> {
                    change(request);
                    response.setContentLength(4);
                    response.getWriter().print("done");
                })
                .on("/file", (request, response) -> {
                    change(request);
                    Path file = Files.writeString(directory.resolve("file"), "for those who have the session");
                    request.setAttribute("org.apache.tomcat.sendfile.filename", file.toString());
                    request.setAttribute("org.apache.tomcat.sendfile.start", 0L);
                    request.setAttribute("org.apache.tomcat.sendfile.end", Files.size(file));
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
