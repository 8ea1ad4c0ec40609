package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.LoopbackPeer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only Tomcat does of {@code AcknowledgementContract}: the client has not all of a response before the other member has the change. */
@Tag("container")
class BarrierIT {

    /** How long the client must be kept waiting: hundreds of times what a response takes without an acknowledgement. */
    private static final long HELD_MILLIS = 300;

    private static final Semaphore CHANGED = new Semaphore(0);

    private static LoopbackPeer peer;
    private static TomcatNode node;

    private final Browser browser = new Browser();

    @BeforeAll
    static void start() throws IOException {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        node = TomcatNode.start(configs.get(0), pages());
        node.awaitReady();
        peer = LoopbackPeer.start(configs.get(1), Map.of());
    }

    @AfterAll
    static void stop() throws IOException {
        node.close();
        peer.close();
    }

    @ParameterizedTest
    @CsvSource({"/secured, login", "/mutated, done"})
    void theResponseWaitsForTheOtherMember(String path, String body) throws Exception {
        assertEquals("done", browser.get(node, "/returned"));
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response;
        peer.freeze();
        try {
            response = browser.start(node, path);
            assertTrue(CHANGED.tryAcquire(60, TimeUnit.SECONDS), "the page ran");
            assertHeld(response);
        } finally {
            peer.thaw();
        }
        assertEquals(200, response.get(60, TimeUnit.SECONDS).statusCode());
        assertEquals(body, response.get().body());
    }

    @Test
    void theResponseToHeadWaitsWithItsHeaders() throws Exception {
        assertEquals("done", browser.get(node, "/returned"));
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response;
        peer.freeze();
        try {
            response = browser.startHead(node, "/flushed");
            assertTrue(CHANGED.tryAcquire(60, TimeUnit.SECONDS), "the page ran");
            assertHeld(response);
        } finally {
            peer.thaw();
        }
        assertEquals(200, response.get(60, TimeUnit.SECONDS).statusCode());
    }

    private static void assertHeld(CompletableFuture<HttpResponse<String>> response) throws Exception {
        try {
            HttpResponse<String> early = response.get(HELD_MILLIS, TimeUnit.MILLISECONDS);
            fail("answered while the other member was frozen: " + early.statusCode() + " " + early.body());
        } catch (TimeoutException e) {
            // As it should be.
        }
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
