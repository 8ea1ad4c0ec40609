package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many requests of one session at once. */
class ConcurrencyIT {

    private static final int WRITERS = 6;
    private static final int WRITES = 40;

    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
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
                        .on("/show", (request, response) -> {
                            for (int i = 0; i < WRITERS; i++) {
                                int[] counter = (int[]) request.getSession().getAttribute("writer" + i);
                                response.getWriter().print(counter[0] + " ");
                            }
                        }));
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        nodes.forEach(TomcatNode::close);
    }

    /** Each client changes its own attribute in place, half of them on each node, while the others do the same. */
    @Test
    void noChangeIsLostWhenBothNodesWriteAtOnce() throws Exception {
        Browser browser = new Browser();
        browser.read(nodes.get(0), "/begin");
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            writers.add(threads.submit(() -> {
                Browser own = Browser.bearing(browser.sessionId());
                for (int n = 1; n <= WRITES; n++) {
                    assertEquals(String.valueOf(n), own.read(nodes.get(writer % 2), "/count?writer=writer" + writer));
                }
            }));
        }
        for (Future<?> writer : writers) {
            writer.get(60, TimeUnit.SECONDS);
        }
        String all = (WRITES + " ").repeat(WRITERS);
        assertEquals(all, browser.read(nodes.get(0), "/show"));
        assertEquals(all, browser.read(nodes.get(1), "/show"));
    }
}
