package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.faults.Fault;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
        return degraded(browser.send(servers.server(0), path), path);
    }

    private static boolean degraded(HttpResponse<String> response, String path) {
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

    /** A commit sends what other requests of the session have changed by then, too. */
    @Test
    void aRequestIsAsDegradedAsTheCommitThatSentItsChange() throws Exception {
        Map<Setting, String> settings = Map.of(Setting.DEGRADED_HEADER, HEADER, Setting.ACK_TIMEOUT, "200ms");
        String first = tasks.add((request, response) -> {
            request.getSession().setAttribute("text", "as it was");
            request.getSession().setAttribute("list", new ArrayList<>(List.of(1)));
        });
        Map<String, Consumer<HttpSession>> uses = Map.of(
                "sets", session -> session.setAttribute("text", "another"),
                "changes in place", session -> list(session).add(2),
                "reads", session -> session.getAttribute("text"));
        try (Servers servers = new Servers(container(), tasks, 2, settings)) {
            for (Map.Entry<String, Consumer<HttpSession>> use : uses.entrySet()) {
                Browser user = new Browser();
                user.get(servers.server(0), first);
                CompletableFuture<Void> used = new CompletableFuture<>();
                CompletableFuture<Void> goesOn = new CompletableFuture<>();
                String slow = tasks.add((request, response) -> {
                    use.getValue().accept(request.getSession());
                    used.complete(null);
                    goesOn.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                });
                CompletableFuture<HttpResponse<String>> response = user.twin().start(servers.server(0), slow);
                used.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                try (Fault silent = servers.cluster().pause(1)) {
                    assertTrue(degraded(servers, user, set), silent::toString);
                    goesOn.complete(null);
                    boolean changes = !use.getKey().equals("reads");
                    assertEquals(changes, degraded(response.join(), slow), "a request that " + use.getKey());
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Integer> list(HttpSession session) {
        return (List<Integer>) session.getAttribute("list");
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
