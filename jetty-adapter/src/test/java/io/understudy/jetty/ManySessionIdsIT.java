package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client that sends as many session cookies as fit into a request. */
@Tag("container")
class ManySessionIdsIT {

    private static final int MANY = 450;

    private static final Map<String, JettyNode.Action> ACTIONS = Map.of(
            "/begin",
            (request, response) ->
                    response.getWriter().print(request.getSession().getId()),
            "/set",
            (request, response) -> {
                request.getSession().setAttribute("name", "ada");
                response.getWriter().print("set");
            },
            "/get",
            (request, response) -> response.getWriter()
                    .print(
                            request.getSession(false) == null
                                    ? "none"
                                    : request.getSession(false).getAttribute("name")));

    private static JettyCluster start() {
        return start(JettyCluster.of(2), "JSESSIONID");
    }

    private static JettyCluster start(JettyCluster.Builder cluster, String cookieOfSecond) {
        return cluster.start(config -> {
            ServletContextHandler first = JettyNode.webapp(ACTIONS, List.of());
            ServletContextHandler second = JettyNode.webapp(ACTIONS, List.of());
            second.setContextPath("/second");
            second.getSessionHandler().setSessionCookie(cookieOfSecond);
            return JettyNode.of(config, new ContextHandlerCollection(first, second));
        });
    }

    private static String unknown(int count) {
        return unknown("JSESSIONID", count);
    }

    private static String unknown(String cookie, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> cookie + "=" + (100 + number))
                .collect(Collectors.joining(";"));
    }

    /** By a socket of its own, as no library would send this. */
    private static String get(JettyNode node, String cookies) throws IOException {
        return get(node, "/app", cookies);
    }

    private static String get(JettyNode node, String context, String cookies) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), node.uri("/").getPort())) {
            socket.setSoTimeout(30_000);
            String request = "GET " + context + "/get HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: "
                    + cookies + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static long lookedUp(JettyNode node) {
        return node.understudy.metrics().value(Counter.SESSIONS_LOOKED_UP);
    }

    @Test
    void fewOfThemAreLookedUpOnOtherNodes() throws Exception {
        try (JettyCluster cluster = start()) {
            String answer = get(cluster.node(0), unknown(MANY));
            assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("none"), answer);
            assertEquals(Questions.MOST, lookedUp(cluster.node(0)), "three, in all applications together");
        }
    }

    /** Of two applications with cookies of their own, whichever the node happens to know first. */
    @Test
    void theIdsOfTheContextItIsForAreLookedUpFirst() throws Exception {
        JettyCluster.Builder local = JettyCluster.of(2).set(Setting.EMPTY_SESSIONS, "local");
        try (JettyCluster cluster = start(local, "SECOND")) {
            Map<String, String> cookies = Map.of("/app", "JSESSIONID", "/second", "SECOND");
            for (String context : cookies.keySet()) {
                String id = Browser.forgetful().get(cluster.node(0), context + "/begin");
                String others = cookies.entrySet().stream()
                        .filter(cookie -> !cookie.getKey().equals(context))
                        .map(cookie -> unknown(cookie.getValue(), Questions.MOST))
                        .collect(Collectors.joining(";"));
                String answer = get(cluster.node(1), context, others + ";" + cookies.get(context) + "=" + id);
                assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("null"), answer);
            }
        }
    }

    @Test
    void theSessionIsFoundBehindThem() throws Exception {
        try (JettyCluster cluster = start()) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/set");
            String answer = get(cluster.node(1), unknown(MANY) + ";JSESSIONID=" + browser.sessionId());
            assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("ada"), answer);
        }
    }
}
