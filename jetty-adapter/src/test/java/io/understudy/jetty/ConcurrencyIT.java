package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Browser;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many requests of one session at once. */
@Tag("container")
@Timeout(300)
final class ConcurrencyIT {

    private static final int WRITERS = 6;
    private static final int WRITES = 40;

    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);

    @AfterEach
    void stop() {
        mayGo.countDown();
        threads.shutdownNow();
    }

    /** Each client changes its own attribute in place, on its own node or on each in turn, while the others do the same. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noChangeIsLostWhenBothNodesWriteAtOnce(boolean sticky) throws Exception {
        try (JettyCluster nodes = JettyCluster.of(2)
                .on("/begin", (request, response) -> {
                    for (int i = 0; i < WRITERS; i++) {
                        request.getSession().setAttribute("writer" + i, new int[1]);
                    }
                })
                .on("/count", (request, response) -> {
                    int[] counter = (int[]) request.getSession(false).getAttribute(request.getParameter("writer"));
                    response.getWriter().print(++counter[0]);
                })
                .on("/wait", (request, response) -> {
                    request.getSession(false).getAttribute("nothing");
                    inside.countDown();
                    assertTrue(mayGo.await(60, TimeUnit.SECONDS));
                })
                .start()) {
            Browser browser = new Browser();
            browser.get(nodes.node(0), "/app/begin");
            // A request that goes on all the while keeps no node from seeing what the others write.
            CompletableFuture<HttpResponse<String>> stranger = browser.start(nodes.node(1), "/app/wait");
            assertTrue(inside.await(60, TimeUnit.SECONDS));
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                writers.add(threads.submit(() -> {
                    Browser own = browser.twin();
                    for (int n = 1; n <= WRITES; n++) {
                        JettyNode node = nodes.node((sticky ? writer : writer + n) % 2);
                        assertEquals("" + n, own.get(node, "/app/count?writer=writer" + writer));
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get(60, TimeUnit.SECONDS);
            }
            mayGo.countDown();
            assertEquals(200, stranger.get(60, TimeUnit.SECONDS).statusCode());
        }
    }
}
