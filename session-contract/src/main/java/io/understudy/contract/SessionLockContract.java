package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One request of a session at a time, through two nodes. */
public abstract class SessionLockContract {

    private static final int CLIENTS = 10;
    private static final int REQUESTS = 30;
    private static final long LIMIT_SECONDS = Await.LIMIT.toSeconds();

    /** @param made the count that the request made of the one before */
    private record Increment(int made, String page, int port) {}

    private final Queue<Increment> increments = new ConcurrentLinkedQueue<>();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final ExecutorService background = Executors.newCachedThreadPool();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);
    private final Browser browser = new Browser();
    private final Tasks tasks = new Tasks();

    private final String begin =
            tasks.add((request, response) -> request.getSession().setAttribute("count", new int[1]));
    private final String show =
            tasks.add((request, response) -> response.getWriter().print(count(request)[0]));
    private final String count = tasks.addAt("/lock/count", (request, response) -> {
        increment(request);
        response.getWriter().print("counted");
    });
    private final String forward = tasks.addAt(
            "/lock/forward",
            (request, response) -> request.getRequestDispatcher(count).forward(request, response));
    private final String fail = tasks.addAt("/lock/fail", (request, response) -> {
        increment(request);
        throw new IllegalStateException("after the change");
    });
    private final String async = tasks.addAt("/lock/async", (request, response) -> {
        AsyncContext context = request.startAsync();
        background.execute(() -> {
            increment(request);
            context.complete();
        });
    });
    private final String dispatch = tasks.addAt(
            "/lock/dispatch", (request, response) -> request.startAsync().dispatch(count));
    private final String waiting = tasks.addAt("/lock/wait", (request, response) -> {
        inside.countDown();
        assertTrue(mayGo.await(LIMIT_SECONDS, TimeUnit.SECONDS));
        increment(request);
    });

    private final String reading = tasks.addAt("/read", (request, response) -> {
        assertNotNull(count(request));
        inside.countDown();
        assertTrue(mayGo.await(LIMIT_SECONDS, TimeUnit.SECONDS));
    });

    protected abstract ContractContainer container();

    /** Whether the container forwards requests, and completes them in other threads. */
    protected boolean dispatches() {
        return true;
    }

    @AfterEach
    void stop() {
        mayGo.countDown();
        clients.shutdownNow();
        background.shutdownNow();
    }

    /** Two nodes, of which the first has answered a request of the session. */
    private Servers begun(Map<Setting, String> settings) throws Exception {
        Map<Setting, String> all =
                new HashMap<>(Map.of(Setting.SESSION_LOCK, "on", Setting.LOCK_PATHS, Tasks.PATH + "/lock/*"));
        all.putAll(settings);
        Servers servers = new Servers(container(), tasks, 2, all);
        browser.get(servers.server(0), begin);
        return servers;
    }

    private static int[] count(HttpServletRequest request) {
        return (int[]) request.getSession(false).getAttribute("count");
    }

    private void increment(HttpServletRequest request) {
        int made = ++count(request)[0];
        increments.add(new Increment(made, request.getRequestURI(), request.getLocalPort()));
    }

    /**
     * Values that two requests made, one of which is lost, with what was counted just before and after them; empty if
     * there is none.
     */
    private List<Increment> lost() {
        Map<Integer, Long> times =
                increments.stream().collect(Collectors.groupingBy(Increment::made, Collectors.counting()));
        return increments.stream()
                .filter(each -> IntStream.rangeClosed(each.made() - 1, each.made() + 1)
                        .anyMatch(made -> times.getOrDefault(made, 0L) > 1))
                .toList();
    }

    private List<String> counted(Servers servers) {
        return List.of(browser.get(servers.server(0), show), browser.get(servers.server(1), show));
    }

    @ParameterizedTest
    @ValueSource(strings = {"coherent", "incoherent"})
    void tenClientsThroughTwoNodesCountExactly(String coherence) throws Exception {
        try (Servers servers = begun(Map.of(Setting.COHERENCE, coherence, Setting.LOCK_TIMEOUT, "60s"))) {
            // An incoherent response does not wait for the other node to have the session, and who has none locks none.
            Await.that(
                    "the other node has the session",
                    () -> browser.send(servers.server(1), show).statusCode() == 200);
            List<String> pages = dispatches() ? List.of(count, forward, fail, async, dispatch) : List.of(count, fail);
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                done.add(clients.submit(() -> {
                    Browser own = browser.twin();
                    for (int n = 0; n < REQUESTS; n++) {
                        String page = pages.get((client + n) % pages.size());
                        HttpResponse<String> response = own.send(servers.server((client + n / 2) % 2), page);
                        assertEquals(page.equals(fail) ? 500 : 200, response.statusCode(), page);
                    }
                }));
            }
            for (Future<?> client : done) {
                client.get(); // Each of its requests has a limit of its own.
            }
            assertEquals(List.of(), lost());
            String all = "" + CLIENTS * REQUESTS;
            Await.until(
                    Await.LIMIT,
                    () -> "counted " + counted(servers) + ", last " + increments,
                    () -> counted(servers).equals(List.of(all, all)));
        }
    }

    /**
     * A request that has the session's lock and waits. The lock is free, but a machine that stands still may take
     * longer than the lock's timeout: such a request is refused, has done nothing, and is sent again.
     */
    private CompletableFuture<HttpResponse<String>> startInside(Browser.Server server) throws Exception {
        long end = System.nanoTime() + Await.LIMIT.toNanos();
        while (true) {
            CompletableFuture<HttpResponse<String>> sent = browser.start(server, waiting);
            Await.that("a request is inside or answered", () -> inside.getCount() == 0 || sent.isDone());
            if (inside.getCount() == 0) {
                return sent;
            }
            assertEquals(503, sent.join().statusCode(), "answered without having been inside");
            assertTrue(System.nanoTime() < end, "a free lock was refused for " + Await.LIMIT);
        }
    }

    @Test
    void whoWaitsTooLongIsRefusedAndOtherPathsAreFree() throws Exception {
        try (Servers servers = begun(Map.of(Setting.LOCK_TIMEOUT, "200ms"))) {
            CompletableFuture<HttpResponse<String>> first = startInside(servers.server(0));
            for (int node = 0; node < 2; node++) {
                HttpResponse<String> refused = browser.send(servers.server(node), count);
                assertEquals(503, refused.statusCode());
                assertTrue(refused.headers().firstValue("Retry-After").isPresent());
                assertEquals("0", browser.get(servers.server(node), show));
            }
            mayGo.countDown();
            assertEquals(200, first.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
            // Within 200 ms or not, as the machine has time for it.
            Await.that(
                    "the lock is free",
                    () -> browser.send(servers.server(1), count).statusCode() == 200);
            assertEquals("2", browser.get(servers.server(0), show));
        }
    }

    @Test
    void orGoesOnWithoutTheLock() throws Exception {
        try (Servers servers = begun(Map.of(Setting.LOCK_TIMEOUT, "200ms", Setting.ON_LOCK_TIMEOUT, "proceed"))) {
            CompletableFuture<HttpResponse<String>> first = startInside(servers.server(0));
            assertEquals("counted", browser.get(servers.server(1), count));
            mayGo.countDown();
            assertEquals(200, first.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
        }
    }

    /** As an event stream that is open for hours. */
    @Test
    void aRequestThatTakesNoLockKeepsNoOldValueFromOthers() throws Exception {
        try (Servers servers = begun(Map.of())) {
            CompletableFuture<HttpResponse<String>> reader = browser.start(servers.server(0), reading);
            Await.that("it has read", () -> inside.getCount() == 0 || reader.isDone());
            assertEquals("counted", browser.get(servers.server(1), count));
            assertEquals("counted", browser.get(servers.server(0), count));
            mayGo.countDown();
            assertEquals(200, reader.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
            for (int node = 0; node < 2; node++) {
                assertEquals("2", browser.get(servers.server(node), show));
            }
        }
    }

    @Test
    void aClientThatGoesAwayLeavesNoLock() throws Exception {
        try (Servers servers = begun(Map.of(Setting.LOCK_TIMEOUT, "60s"))) {
            CompletableFuture<HttpResponse<String>> gone = startInside(servers.server(0));
            gone.cancel(true);
            CompletableFuture<HttpResponse<String>> next = browser.start(servers.server(1), count);
            mayGo.countDown();
            assertEquals(200, next.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
            assertEquals("2", browser.get(servers.server(0), show));
        }
    }
}
