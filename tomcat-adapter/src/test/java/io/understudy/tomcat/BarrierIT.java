package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.LoopbackPeer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However the application ends its response, the client has not all of it before the other member has the change. */
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
    @CsvSource({
        "/returned, 200, done",
        "/flushed, 200, done",
        "/closed-writer, 200, done",
        "/closed-stream, 200, done",
        "/length-bytes, 200, done",
        "/length-chars, 200, dönö",
        "/length-line, 200, 'done\n'",
        "/length-zero, 200, ''",
        "/no-content, 204, ''",
        "/forward, 200, done",
        "/secured, 200, login",
        "/error, 418, sorry",
        "/exception, 500, sorry",
        "/mutated, 200, done",
        "/invalidated, 200, done",
        "/renamed, 200, done",
        "/async, 200, done",
        "/dispatched, 200, done"
    })
    void theResponseWaitsForTheOtherMember(String path, int status, String body) throws Exception {
        assertEquals("done", browser.get(node, "/returned"));
        CHANGED.drainPermits();
        CompletableFuture<HttpResponse<String>> response;
        peer.freeze();
        try {
            response = browser.start(node, path);
            assertTrue(CHANGED.tryAcquire(10, TimeUnit.SECONDS), "the page ran");
            assertHeld(response);
        } finally {
            peer.thaw();
        }
        assertEquals(status, response.get(10, TimeUnit.SECONDS).statusCode());
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
            assertTrue(CHANGED.tryAcquire(10, TimeUnit.SECONDS), "the page ran");
            assertHeld(response);
        } finally {
            peer.thaw();
        }
        assertEquals(200, response.get(10, TimeUnit.SECONDS).statusCode());
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
                .with(context -> {
                    ErrorPage page = new ErrorPage();
                    page.setLocation("/sorry");
                    context.addErrorPage(page);
                })
                .with(LoginIT::secure)
                .on("/login", (request, response) -> {
                    CHANGED.release(); // The authenticator noted what it interrupted.
                    response.setContentLength(5);
                    response.getWriter().print("login");
                    response.flushBuffer();
                })
                .on("/sorry", (request, response) -> response.getWriter().print("sorry"))
                .on("/returned", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                })
                .on("/flushed", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                    response.flushBuffer();
                })
                .on("/closed-writer", (request, response) -> {
                    change(request);
                    try (PrintWriter writer = response.getWriter()) {
                        writer.print("done");
                    }
                })
                .on("/closed-stream", (request, response) -> {
                    change(request);
                    response.getOutputStream().print("done");
                    response.getOutputStream().close();
                })
                .on("/length-bytes", (request, response) -> {
                    change(request);
                    response.setContentLength(4);
                    response.getOutputStream().write("done".getBytes(StandardCharsets.UTF_8));
                    response.flushBuffer();
                })
                .on("/length-chars", (request, response) -> {
                    change(request);
                    response.setContentType("text/plain;charset=UTF-8");
                    response.setHeader("Content-Length", "6");
                    response.getWriter().print("dö");
                    response.getWriter().print("nö");
                    response.flushBuffer();
                })
                .on("/length-line", (request, response) -> {
                    change(request);
                    response.setContentLengthLong(5);
                    response.getWriter().print("done");
                    response.getWriter().println();
                    response.flushBuffer();
                })
                .on("/length-zero", (request, response) -> {
                    change(request);
                    response.setContentLength(0);
                    response.flushBuffer();
                })
                .on("/no-content", (request, response) -> {
                    change(request);
                    response.setStatus(204);
                    response.flushBuffer();
                })
                .on(
                        "/forward",
                        (request, response) ->
                                request.getRequestDispatcher("/returned").forward(request, response))
                .on("/error", (request, response) -> {
                    change(request);
                    response.sendError(418);
                })
                .on("/exception", (request, response) -> {
                    change(request);
                    throw new IllegalStateException("on purpose");
                })
                .on("/mutated", (request, response) -> {
                    ((int[]) request.getSession().getAttribute("numbers"))[0]++;
                    CHANGED.release();
                    try (PrintWriter writer = response.getWriter()) {
                        writer.print("done");
                    }
                })
                .on("/invalidated", (request, response) -> {
                    request.getSession().invalidate();
                    CHANGED.release();
                    try (PrintWriter writer = response.getWriter()) {
                        writer.print("done");
                    }
                })
                .on("/renamed", (request, response) -> {
                    request.changeSessionId();
                    CHANGED.release();
                    try (PrintWriter writer = response.getWriter()) {
                        writer.print("done");
                    }
                })
                .on("/async", (request, response) -> {
                    request.getSession();
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        CHANGED.release();
                        request.getSession().setAttribute("changed", System.nanoTime());
                        try {
                            response.getWriter().print("done");
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                        async.complete();
                    });
                })
                .on("/dispatched", (request, response) -> {
                    request.getSession();
                    request.startAsync().dispatch("/closed-writer");
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
