package io.understudy.tomcat;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many requests of one session at once. */
@Tag("container")
class ConcurrencyIT {

    private static final int WRITERS = 6;
    private static final int WRITES = 40;

    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);
    private List<TomcatNode> nodes;

    @BeforeEach
    void start() {
        nodes = TomcatNode.start(
                2,
                new Pages()
                        .on("/begin", (request, response) -> request.getSession())
                        .on("/count", (request, response) -> {
                            String name = request.getParameter("writer");
                            int[] counter = (int[]) request.getSession().getAttribute(name);
                            if (counter == null) {
                                counter = new int[1];
                                request.getSession().setAttribute(name, counter);
                            }
                            response.getWriter().print(++counter[0]);
                        })
                        .on("/wait", (request, response) -> {
                            request.getSession().getAttribute("nothing");
                            inside.countDown();
                            assertTrue(mayGo.await(60, TimeUnit.SECONDS));
                        })
                        .on("/show", (request, response) -> {
                            for (int i = 0; i < WRITERS; i++) {
                                int[] counter = (int[]) request.getSession().getAttribute("writer" + i);
                                response.getWriter().print(counter[0] + " ");
                            }
                        }));
    }

    @AfterEach
    void stop() {
        mayGo.countDown();
        threads.shutdownNow();
        nodes.forEach(TomcatNode::close);
    }

    /** Each client changes its own attribute in place, on its own node or on each in turn, while the others do the same. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noChangeIsLostWhenBothNodesWriteAtOnce(boolean sticky) throws Exception {
        Browser browser = new Browser();
        browser.get(nodes.get(0), "/begin");
        // A request that goes on all the while keeps no node from seeing what the others write.
        CompletableFuture<HttpResponse<String>> stranger = browser.start(nodes.get(1), "/wait");
        assertTrue(inside.await(60, TimeUnit.SECONDS));
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            writers.add(threads.submit(() -> {
                Browser own = Browser.bearing(browser.sessionId());
                for (int n = 1; n <= WRITES; n++) {
                    assertEquals(
                            String.valueOf(n),
                            own.get(nodes.get((sticky ? writer : writer + n) % 2), "/count?writer=writer" + writer));
                }
            }));
        }
        for (Future<?> writer : writers) {
            writer.get(60, TimeUnit.SECONDS);
        }
        mayGo.countDown();
        assertEquals(200, stranger.get(60, TimeUnit.SECONDS).statusCode());
        String all = (WRITES + " ").repeat(WRITERS);
        assertEquals(all, browser.get(nodes.get(0), "/show"));
        assertEquals(all, browser.get(nodes.get(1), "/show"));
    }
}
