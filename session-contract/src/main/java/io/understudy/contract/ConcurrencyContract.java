package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many requests of one session at once. */
public abstract class ConcurrencyContract {

    private static final int WRITERS = 6;
    private static final int WRITES = 40;
    private static final long LIMIT_SECONDS = Await.LIMIT.toSeconds();

    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);
    private final Tasks tasks = new Tasks();

    private final String begin = tasks.add((request, response) -> {
        for (int i = 0; i < WRITERS; i++) {
            request.getSession().setAttribute("writer" + i, new int[1]);
        }
    });
    private final String count = tasks.add((request, response) -> {
        int[] counter = (int[]) request.getSession(false).getAttribute(request.getParameter("writer"));
        response.getWriter().print(++counter[0]);
    });
    private final String waiting = tasks.add((request, response) -> {
        request.getSession(false).getAttribute("nothing");
        inside.countDown();
        assertTrue(mayGo.await(LIMIT_SECONDS, TimeUnit.SECONDS));
    });
    private final String show = tasks.add((request, response) -> {
        for (int i = 0; i < WRITERS; i++) {
            int[] counter = (int[]) request.getSession(false).getAttribute("writer" + i);
            response.getWriter().print(counter[0] + " ");
        }
    });

    protected abstract ContractContainer container();

    @AfterEach
    void stop() {
        mayGo.countDown();
        threads.shutdownNow();
    }

    /**
     * Each client changes its own attribute in place, on its own node or on each in turn, while the others do the
     * same.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noChangeIsLostWhenBothNodesWriteAtOnce(boolean sticky) throws Exception {
        try (Servers servers = new Servers(container(), tasks, 2, Map.of())) {
            Browser browser = new Browser();
            browser.get(servers.server(0), begin);
            // A request that goes on all the while keeps no node from seeing what the others write.
            CompletableFuture<HttpResponse<String>> stranger = browser.start(servers.server(1), waiting);
            assertTrue(inside.await(LIMIT_SECONDS, TimeUnit.SECONDS));
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                writers.add(threads.submit(() -> {
                    Browser own = browser.twin();
                    for (int n = 1; n <= WRITES; n++) {
                        Browser.Server server = servers.server((sticky ? writer : writer + n) % 2);
                        assertEquals("" + n, own.get(server, count + "?writer=writer" + writer));
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
            mayGo.countDown();
            assertEquals(200, stranger.get(LIMIT_SECONDS, TimeUnit.SECONDS).statusCode());
            for (int node = 0; node < 2; node++) {
                assertEquals((WRITES + " ").repeat(WRITERS), browser.get(servers.server(node), show));
            }
        }
    }
}
