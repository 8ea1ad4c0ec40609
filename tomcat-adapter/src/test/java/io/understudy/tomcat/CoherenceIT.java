package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a node that is alone every coherent response with a change is degraded, and no incoherent one is. */
@Tag("container")
class CoherenceIT {

    private static final String HEADER = "X-Degraded";

    private final LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private TomcatNode node;

    private void start(Map<Setting, String> settings) {
        Map<Setting, String> all = new HashMap<>(settings);
        all.put(Setting.DEGRADED_HEADER, HEADER);
        UnderstudyConfig config = LoopbackCluster.configs(1, all).get(0);
        node = TomcatNode.start(config, pages());
        node.awaitReady();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private boolean degraded(String path) throws Exception {
        return degraded(new Browser(), path);
    }

    private boolean degraded(Browser browser, String path) throws Exception {
        HttpResponse<String> response = browser.send(node, path);
        assertEquals(200, response.statusCode(), path);
        return response.headers().firstValue(HEADER).filter("true"::equals).isPresent();
    }

    @Test
    void theNodeIsCoherentUnlessTheRequestWantsItOtherwise() throws Exception {
        start(Map.of(Setting.INCOHERENT_PATHS, "*.png,/bulk/*"));
        assertTrue(degraded("/set"));
        assertFalse(degraded("/static/a.png"));
        assertFalse(degraded("/set?coherence=incoherent"));
        assertTrue(degraded("/set?coherence=none-of-them"), "ignored");
        assertTrue(degraded("/static/a.png?coherence=coherent"), "the attribute before the path");
        for (boolean coherent : new boolean[] {true, false}) {
            Browser user = new Browser();
            degraded(user, "/set");
            assertEquals(coherent, degraded(user, coherent ? "/logout" : "/logout?coherence=incoherent"));
        }
        assertFalse(degraded("/logout"), "what began and ended in a request concerns nobody else");
        node.understudy().setNodeCoherent(false);
        assertFalse(degraded("/set"));
        assertTrue(degraded("/set?coherence=coherent"));
        node.understudy().setNodeCoherent(true);
        assertTrue(degraded("/set"));
    }

    @Test
    void anIncoherentApplicationHasCoherentRequests() throws Exception {
        start(Map.of(Setting.COHERENCE, "incoherent", Setting.COHERENT_PATHS, "/pay/*"));
        assertFalse(degraded("/set"));
        assertTrue(degraded("/pay/now"));
        assertTrue(degraded("/pay/now;jsessionid=x?a=b"));
        assertTrue(degraded("/set?coherence=COHERENT"));
    }

    /** Tomcat's head leaves when its buffer is full or flushed; the barrier is before the end. */
    @Test
    void theHeaderIsOnResponsesThatFitTheBuffer() throws Exception {
        start(Map.of());
        assertTrue(degraded("/closed"));
        assertEquals("closed true", seen.poll(60, TimeUnit.SECONDS));
        assertTrue(degraded("/length"));
        assertFalse(degraded("/flushed"));
        assertEquals("flushed true", seen.poll(60, TimeUnit.SECONDS));
        assertFalse(degraded("/large"));
    }

    @Test
    void aRefusedResponseHasTheHeaderToo() throws Exception {
        start(Map.of(Setting.ON_DEGRADED, "refuse"));
        HttpResponse<String> refused = new Browser().send(node, "/set");
        assertEquals(503, refused.statusCode());
        assertEquals("true", refused.headers().firstValue(HEADER).orElse("none"));
    }

    private Pages pages() {
        Pages.Page set = (request, response) -> {
            change(request);
            response.getWriter().print("done");
        };
        return new Pages()
                .on("/set", set)
                .on("/pay/now", set)
                .on("/static/a.png", set)
                .on("/logout", (request, response) -> {
                    request.getSession().setMaxInactiveInterval(100);
                    change(request);
                    request.getSession().invalidate();
                    response.getWriter().print("done");
                })
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
        String coherence = request.getParameter("coherence");
        if (coherence != null) {
            request.setAttribute("io.understudy.coherence", coherence);
        }
    }
}
