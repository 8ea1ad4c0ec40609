package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.contract.CoherenceContract;
import io.understudy.contract.ContractContainer;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which responses of a Tomcat that is alone are degraded, and have the header. */
@Tag("container")
final class CoherenceIT extends CoherenceContract {

    private static final String HEADER = "X-Degraded";

    private final LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }

    private static boolean degraded(TomcatNode node, String path) {
        HttpResponse<String> response = new Browser().send(node, path);
        assertEquals(200, response.statusCode(), path);
        return response.headers().firstValue(HEADER).filter("true"::equals).isPresent();
    }

    /** Tomcat's head leaves when its buffer is full or flushed; the barrier is before the end. */
    @Test
    void theHeaderIsOnResponsesThatFitTheBuffer() throws Exception {
        UnderstudyConfig config = LoopbackCluster.configs(1, Map.of(Setting.DEGRADED_HEADER, HEADER))
                .get(0);
        try (TomcatNode node = TomcatNode.start(config, pages())) {
            node.awaitReady();
            assertTrue(degraded(node, "/closed"));
            assertEquals("closed true", seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertTrue(degraded(node, "/length"));
            assertFalse(degraded(node, "/flushed"));
            assertEquals("flushed true", seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertFalse(degraded(node, "/large"));
        }
    }

    private Pages pages() {
        return new Pages()
                .on("/closed", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                    response.getWriter().close();
                    seen.add("closed " + request.getAttribute("io.understudy.degraded"));
                })
                .on("/length", (request, response) -> {
                    change(request);
                    response.setContentLength(4);
                    response.getWriter().print("done");
                    response.flushBuffer();
                })
                .on("/flushed", (request, response) -> {
                    change(request);
                    response.getWriter().print("done");
                    response.flushBuffer();
                    response.getWriter().close();
                    seen.add("flushed " + request.getAttribute("io.understudy.degraded"));
                })
                .on("/large", (request, response) -> {
                    change(request);
                    for (int i = 0; i < 10_000; i++) {
                        response.getWriter().print("more than any buffer holds");
                    }
                });
    }

    private static void change(HttpServletRequest request) {
        request.getSession().setAttribute("changed", System.nanoTime());
    }
}
