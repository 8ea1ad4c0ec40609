package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** On a node that is alone every coherent response with a change is degraded, and no incoherent one is. */
public abstract class CoherenceContract {

    private static final String HEADER = "X-Degraded";

    private final Tasks tasks = new Tasks();
    private final Task change = (request, response) -> change(request);
    private final String set = tasks.addAt("/set", change);
    private final String pay = tasks.addAt("/pay/now", change);
    private final String image = tasks.addAt("/static/a.png", change);
    private final String read =
            tasks.add((request, response) -> request.getSession().getAttribute("a"));
    private final String logout = tasks.add((request, response) -> {
        request.getSession().setMaxInactiveInterval(100);
        change(request);
        request.getSession().invalidate();
    });

    protected abstract ContractContainer container();

    private Servers alone(Map<Setting, String> settings) throws Exception {
        Map<Setting, String> all = new HashMap<>(settings);
        all.put(Setting.DEGRADED_HEADER, HEADER);
        return new Servers(container(), tasks, 1, all);
    }

    private static void change(HttpServletRequest request) {
        request.getSession().setAttribute("a", System.nanoTime());
        String coherence = request.getParameter("coherence");
        if (coherence != null) {
            request.setAttribute("io.understudy.coherence", coherence);
        }
    }

    private static boolean degraded(Servers servers, String path) {
        return degraded(servers, new Browser(), path);
    }

    private static boolean degraded(Servers servers, Browser browser, String path) {
        HttpResponse<String> response = browser.send(servers.server(0), path);
        assertEquals(200, response.statusCode(), path);
        return response.headers().firstValue(HEADER).filter("true"::equals).isPresent();
    }

    @Test
    void theNodeIsCoherentUnlessTheRequestWantsItOtherwise() throws Exception {
        try (Servers servers = alone(Map.of(Setting.INCOHERENT_PATHS, "*.png,/bulk/*"))) {
            assertTrue(degraded(servers, set));
            assertFalse(degraded(servers, image));
            assertFalse(degraded(servers, set + "?coherence=incoherent"));
            assertTrue(degraded(servers, set + "?coherence=none-of-them"), "ignored");
            assertTrue(degraded(servers, image + "?coherence=coherent"), "the attribute before the path");
            servers.cluster().node(0).setNodeCoherent(false);
            assertFalse(degraded(servers, set));
            assertTrue(degraded(servers, set + "?coherence=coherent"));
            servers.cluster().node(0).setNodeCoherent(true);
            assertTrue(degraded(servers, set));
        }
    }

    @Test
    void aLogoutIsAsCoherentAsItsRequest() throws Exception {
        try (Servers servers = alone(Map.of())) {
            for (boolean coherent : new boolean[] {true, false}) {
                Browser user = new Browser();
                degraded(servers, user, set);
                assertEquals(coherent, degraded(servers, user, coherent ? logout : logout + "?coherence=incoherent"));
            }
            assertFalse(degraded(servers, logout), "what began and ended in a request concerns nobody else");
        }
    }

    @Test
    void anIncoherentApplicationHasCoherentRequests() throws Exception {
        try (Servers servers =
                alone(Map.of(Setting.COHERENCE, "incoherent", Setting.COHERENT_PATHS, Tasks.PATH + "/pay/*"))) {
            assertFalse(degraded(servers, set));
            assertTrue(degraded(servers, pay));
            assertTrue(degraded(servers, pay + ";jsessionid=x?a=b"));
            assertTrue(degraded(servers, set + "?coherence=COHERENT"));
            assertFalse(degraded(servers, read), "nothing changed");
        }
    }

    @Test
    void aRefusedResponseHasTheHeaderToo() throws Exception {
        try (Servers servers = alone(Map.of(Setting.ON_DEGRADED, "refuse"))) {
            HttpResponse<String> refused = new Browser().send(servers.server(0), set);
            assertEquals(503, refused.statusCode());
            assertEquals("true", refused.headers().firstValue(HEADER).orElse("none"));
        }
    }
}
