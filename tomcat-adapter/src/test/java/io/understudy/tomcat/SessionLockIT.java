package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One request of a session at a time, through two nodes. */
@Tag("container")
class SessionLockIT {

    private static final int CLIENTS = 10;
    private static final int REQUESTS = 30;

    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final ExecutorService background = Executors.newCachedThreadPool();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);
    private final List<TomcatNode> nodes = new ArrayList<>();
    private final Browser browser = new Browser();

    private void start(Map<Setting, String> settings) {
        Map<Setting, String> all = new HashMap<>(Map.of(Setting.SESSION_LOCK, "on", Setting.LOCK_PATHS, "/lock/*"));
        all.putAll(settings);
        for (UnderstudyConfig config : LoopbackCluster.configs(2, all)) {
            nodes.add(TomcatNode.start(config, pages()));
        }
        nodes.forEach(TomcatNode::awaitReady);
        assertEquals("0", browser.get(nodes.get(0), "/begin"));
    }

    @AfterEach
    void stop() {
        mayGo.countDown();
        clients.shutdownNow();
        background.shutdownNow();
        nodes.forEach(TomcatNode::close);
    }

    private Pages pages() {
        return new Pages()
                .on("/begin", (request, response) -> {
                    request.getSession().setAttribute("count", new int[1]);
                    response.getWriter().print(0);
                })
                .on("/show", (request, response) -> response.getWriter().print(count(request)[0]))
                .on("/lock/count", (request, response) -> {
                    increment(request);
                    response.getWriter().print("counted");
                })
                .on(
                        "/lock/forward",
                        (request, response) ->
                                request.getRequestDispatcher("/lock/count").forward(request, response))
                .on("/lock/fail", (request, response) -> {
                    increment(request);
                    throw new IllegalStateException("after the change");
                })
                .on("/lock/async", (request, response) -> {
                    AsyncContext async = request.startAsync();
                    background.execute(() -> {
                        increment(request);
                        async.complete();
                    });
                })
                .on(
                        "/lock/dispatch",
                        (request, response) -> request.startAsync().dispatch("/lock/count"))
                .on("/lock/wait", (request, response) -> {
                    inside.countDown();
                    assertTrue(mayGo.await(60, TimeUnit.SECONDS));
                    increment(request);
                });
    }

    private static int[] count(HttpServletRequest request) {
        return (int[]) request.getSession(false).getAttribute("count");
    }

    private static void increment(HttpServletRequest request) {
        count(request)[0]++;
    }

    @ParameterizedTest
    @ValueSource(strings = {"coherent", "incoherent"})
    void tenClientsThroughTwoNodesCountExactly(String coherence) throws Exception {
        start(Map.of(Setting.COHERENCE, coherence, Setting.LOCK_TIMEOUT, "30s"));
        // An incoherent response does not wait for the other node to have the session, and who has none locks none.
        Await.that(
                "the other node has the session",
                () -> browser.send(nodes.get(1), "/show").statusCode() == 200);
        List<String> paths = List.of("/lock/count", "/lock/forward", "/lock/fail", "/lock/async", "/lock/dispatch");
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            done.add(clients.submit(() -> {
                Browser own = Browser.bearing(browser.sessionId());
                for (int n = 0; n < REQUESTS; n++) {
                    String path = paths.get((client + n) % paths.size());
                    HttpResponse<String> response = own.send(nodes.get((client + n / 2) % 2), path);
                    assertEquals(path.endsWith("fail") ? 500 : 200, response.statusCode(), path);
                }
            }));
        }
        for (Future<?> client : done) {
            client.get(60, TimeUnit.SECONDS);
        }
        for (TomcatNode node : nodes) {
            Await.that("all are counted", () -> browser.get(node, "/show").equals("" + CLIENTS * REQUESTS));
        }
    }

    @Test
    void whoWaitsTooLongIsRefusedAndOtherPathsAreFree() throws Exception {
        start(Map.of(Setting.LOCK_TIMEOUT, "200ms"));
        CompletableFuture<HttpResponse<String>> first = browser.start(nodes.get(0), "/lock/wait");
        assertTrue(inside.await(60, TimeUnit.SECONDS));
        for (TomcatNode node : nodes) {
            HttpResponse<String> refused = browser.send(node, "/lock/count");
            assertEquals(503, refused.statusCode());
            assertTrue(refused.headers().firstValue("Retry-After").isPresent());
            assertEquals("0", browser.get(node, "/show"));
        }
        mayGo.countDown();
        assertEquals(200, first.get(60, TimeUnit.SECONDS).statusCode());
        assertEquals("counted", browser.get(nodes.get(1), "/lock/count"));
        assertEquals("2", browser.get(nodes.get(0), "/show"));
    }

    @Test
    void orGoesOnWithoutTheLock() throws Exception {
        start(Map.of(Setting.LOCK_TIMEOUT, "200ms", Setting.ON_LOCK_TIMEOUT, "proceed"));
        CompletableFuture<HttpResponse<String>> first = browser.start(nodes.get(0), "/lock/wait");
        assertTrue(inside.await(60, TimeUnit.SECONDS));
        assertEquals("counted", browser.get(nodes.get(1), "/lock/count"));
        mayGo.countDown();
        assertEquals(200, first.get(60, TimeUnit.SECONDS).statusCode());
    }

    @Test
    void aClientThatGoesAwayLeavesNoLock() throws Exception {
        start(Map.of(Setting.LOCK_TIMEOUT, "20s"));
        CompletableFuture<HttpResponse<String>> gone = browser.start(nodes.get(0), "/lock/wait");
        assertTrue(inside.await(60, TimeUnit.SECONDS));
        gone.cancel(true);
        CompletableFuture<HttpResponse<String>> next = browser.start(nodes.get(1), "/lock/count");
        mayGo.countDown();
        assertEquals(200, next.get(60, TimeUnit.SECONDS).statusCode());
        assertEquals("2", browser.get(nodes.get(0), "/show"));
    }
}
