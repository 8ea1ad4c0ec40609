package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.contract.CoherenceContract;
import io.understudy.contract.ContractContainer;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which responses of a Jetty that is alone are degraded, and have the header. */
@Tag("container")
@Timeout(300)
final class CoherenceIT extends CoherenceContract {

    private static final String HEADER = "X-Degraded";

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }

    private static JettyCluster.Builder alone() {
        return JettyCluster.of(1).set(Setting.DEGRADED_HEADER, HEADER).on("/set", CoherenceIT::set);
    }

    private static void set(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.getSession().setAttribute("a", System.nanoTime());
        String coherence = request.getParameter("coherence");
        if (coherence != null) {
            request.setAttribute("io.understudy.coherence", coherence);
        }
        response.getWriter().print("set");
    }

    private static boolean degraded(JettyCluster cluster, String path) {
        HttpResponse<String> response = new Browser().send(cluster.node(0), path);
        assertEquals(200, response.statusCode(), path);
        return response.headers().firstValue(HEADER).filter("true"::equals).isPresent();
    }

    @Test
    void aContextHasItsOwnSettings() {
        try (JettyCluster cluster = alone().start(config -> {
            JettyNode node = JettyNode.of(config, JettyNode.webapp(Map.of("/set", CoherenceIT::set), List.of()));
            node.factory.setApplicationProperty("/app", "coherence", "incoherent");
            node.factory.setApplicationProperty("/other", "coherence", "coherent");
            return node;
        })) {
            assertFalse(degraded(cluster, "/app/set"));
            assertTrue(degraded(cluster, "/app/set?coherence=coherent"));
        }
    }

    /**
     * The head is held until the changes made before it are settled; those made after it only the application can
     * see.
     */
    @Test
    void theHeaderIsOnResponsesWhoseChangesCameBeforeTheirHead() throws Exception {
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (JettyCluster cluster = alone().on("/large", (request, response) -> {
                    request.getSession().setAttribute("a", System.nanoTime());
                    for (int i = 0; i < 10_000; i++) {
                        response.getWriter().print("more than any buffer holds");
                    }
                    seen.add("large " + request.getAttribute("io.understudy.degraded"));
                })
                .on("/late", (request, response) -> {
                    request.getSession(true);
                    response.getWriter().print("head");
                    response.flushBuffer();
                    seen.add("before " + request.getAttribute("io.understudy.degraded"));
                    request.getSession().setAttribute("a", System.nanoTime());
                    response.getWriter().close();
                    seen.add("after " + request.getAttribute("io.understudy.degraded"));
                })
                .start()) {
            assertTrue(degraded(cluster, "/app/large"));
            assertEquals("large true", seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set");
            HttpResponse<String> late = browser.send(cluster.node(0), "/app/late");
            assertFalse(late.headers().firstValue(HEADER).isPresent());
            assertEquals("before null", seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertEquals("after true", seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }
}
