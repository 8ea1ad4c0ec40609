package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Browser;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One session id used by several requests, or several contexts, at once. */
@Tag("container")
@Timeout(300)
final class SharedSessionIT {

    private static final Map<String, JettyNode.Action> ACTIONS = Map.of(
            "/set",
            (request, response) -> request.getSession().setAttribute(request.getParameter("name"), "1"),
            "/names",
            (request, response) -> {
                HttpSession session = request.getSession(false);
                response.getWriter()
                        .print(
                                session == null
                                        ? "no session"
                                        : new TreeSet<>(Collections.list(session.getAttributeNames())));
            },
            "/forward",
            (request, response) -> {
                ServletContext other = request.getServletContext().getContext("/other");
                other.getRequestDispatcher("/set").forward(request, response);
            },
            "/logout",
            (request, response) -> request.getSession().invalidate());

    @Test
    void parallelRequestsOfOneSessionOnAllNodesKeepEachOthersAttributes() {
        try (JettyCluster cluster = JettyCluster.of(3).start(config -> JettyNode.of(config, webapp("/app")))) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set?name=a");
            TreeSet<String> expected = new TreeSet<>(List.of("a"));
            for (int round = 0; round < 20; round++) {
                int first = round * 6;
                List<CompletableFuture<?>> running = IntStream.range(first, first + 6)
                        .mapToObj(i -> browser.start(cluster.node(i % 3), "/app/set?name=" + i))
                        .<CompletableFuture<?>>map(response -> response)
                        .toList();
                running.forEach(CompletableFuture::join);
                IntStream.range(first, first + 6).forEach(i -> expected.add("" + i));
                for (JettyNode node : cluster.nodes()) {
                    assertEquals(expected.toString(), browser.get(node, "/app/names"));
                }
            }
        }
    }

    @Test
    void contextsThatShareAnIdReplicateAndEndTogether() {
        try (JettyCluster cluster = JettyCluster.of(2)
                .start(config ->
                        JettyNode.of(config, new ContextHandlerCollection(webapp("/app"), webapp("/other"))))) {
            for (int i = 0; i < 10; i++) {
                Browser browser = new Browser();
                browser.get(cluster.node(0), "/app/set?name=a");
                browser.get(cluster.node(1), "/other/set?name=b");
                for (JettyNode node : cluster.nodes()) {
                    assertEquals("[a]", browser.get(node, "/app/names"));
                    assertEquals("[b]", browser.get(node, "/other/names"));
                }
                browser.get(cluster.node(0), "/app/logout");
                for (JettyNode node : cluster.nodes()) {
                    assertEquals("no session", browser.get(node, "/app/names"));
                    assertEquals("no session", browser.get(node, "/other/names"));
                }
            }
        }
    }

    @Test
    void aDispatchToAnotherContextReplicatesThatContextsSessionToo() {
        try (JettyCluster cluster = JettyCluster.of(2)
                .start(config ->
                        JettyNode.of(config, new ContextHandlerCollection(webapp("/app"), webapp("/other"))))) {
            for (int i = 0; i < 10; i++) {
                Browser browser = new Browser();
                browser.get(cluster.node(0), "/app/set?name=a");
                browser.get(cluster.node(0), "/app/forward?name=b");
                assertEquals("[a]", browser.get(cluster.node(1), "/app/names"));
                assertEquals("[b]", browser.get(cluster.node(1), "/other/names"));
            }
        }
    }

    private static ServletContextHandler webapp(String path) {
        ServletContextHandler context = JettyNode.webapp(ACTIONS, List.of());
        context.setContextPath(path);
        context.setCrossContextDispatchSupported(true);
        return context;
    }
}
