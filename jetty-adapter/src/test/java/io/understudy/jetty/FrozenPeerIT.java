package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.understudy.NodeFigures;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A response waits for a peer that does not answer; the peer is another process, so that it can be stopped cold. */
@Tag("process")
@Timeout(1800)
final class FrozenPeerIT {

    /** Shorter than the peer is frozen for. */
    private static final long IDLE_TIMEOUT_MILLIS = 800;

    private static final long FROZEN_MILLIS = 2000;

    private static final Map<String, JettyNode.Action> ACTIONS = Map.of("/set", (request, response) -> {
        request.getSession().setAttribute("a", request.getParameter("value"));
        response.getWriter().print("set");
        if (request.getParameter("flush") != null) {
            response.flushBuffer();
        }
    });

    /** What the peer says. */
    @TempDir
    private Path directory;

    /** The peer: configured by properties alone, as from XML. */
    static final class Peer {

        private Peer() {}

        public static void main(String[] settings) throws Exception {
            UnderstudySessionFactory factory = new UnderstudySessionFactory();
            for (String setting : settings) {
                int equals = setting.indexOf('=');
                factory.setProperty(setting.substring(0, equals), setting.substring(equals + 1));
            }
            Server server = new Server();
            ServerConnector connector = new ServerConnector(server, 1, 1);
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
            server.addBean(factory);
            server.setHandler(JettyNode.webapp(ACTIONS, List.of()));
            try {
                server.start();
                Await.that("ready", () -> factory.node().readiness().ready());
                System.out.println("ready");
                System.in.read(); // Until the test ends, or is killed.
            } finally {
                server.stop(); // Its threads would keep the process, and the test would wait for what it prints.
            }
        }
    }

    @Test
    void aResponseLeavesWhenThePeerHasTheChangeAndNotBefore() throws Exception {
        assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "no SIGSTOP");
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        try (JettyNode node = JettyNode.of(configs.get(0), JettyNode.webapp(ACTIONS, List.of()))
                .start()) {
            ((ServerConnector) node.server.getConnectors()[0]).setIdleTimeout(IDLE_TIMEOUT_MILLIS);
            Process peer = startPeer(configs.get(1));
            try {
                Browser browser = new Browser();
                browser.get(node, "/app/set?value=0");
                for (String path : List.of("/app/set?value=1", "/app/set?value=2&flush=1")) {
                    Await.that(
                            "the peer is a member",
                            () -> NodeFigures.momentary(node.understudy).get("members") == 2);
                    long degraded = degraded(node);
                    Signals.stop(peer);
                    CompletableFuture<HttpResponse<String>> response = browser.start(node, path);
                    assertHeld(response, node, degraded);
                    Signals.goOn(peer);
                    assertEquals(
                            200,
                            response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)
                                    .statusCode());
                    assertEquals("set", response.join().body());
                }
            } finally {
                peer.destroyForcibly().waitFor();
            }
        }
    }

    private static long degraded(JettyNode node) {
        return node.understudy.metrics().value(Counter.RESPONSES_DEGRADED);
    }

    /**
     * The peer can't have the change. If this machine stood still, too, failure detection may have removed the peer by
     * now: what leaves then is degraded.
     *
     * @param before degraded responses before the request
     */
    private static void assertHeld(CompletableFuture<HttpResponse<String>> response, JettyNode node, long before)
            throws Exception {
        try {
            HttpResponse<String> early = response.get(FROZEN_MILLIS, TimeUnit.MILLISECONDS);
            assertTrue(degraded(node) > before, () -> "left as if the peer had the change: " + early);
        } catch (TimeoutException e) {
            // As it should be.
        }
    }

    /**
     * Blocking writes hold all threads of the server while they wait for acknowledgements: those must need none of
     * them.
     */
    @Test
    void moreWaitingResponsesThanTheServerHasThreadsAllLeaveInTheEnd() throws Exception {
        assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "no SIGSTOP");
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        try (JettyNode node = JettyNode.of(configs.get(0), JettyNode.webapp(ACTIONS, List.of()))
                .start()) {
            ((QueuedThreadPool) node.server.getThreadPool()).setMaxThreads(8);
            Process peer = startPeer(configs.get(1));
            try {
                long degraded = degraded(node);
                Signals.stop(peer);
                List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    responses.add(new Browser().start(node, "/app/set?value=1&flush=1"));
                }
                assertHeld(responses.get(0), node, degraded);
                Signals.goOn(peer);
                for (CompletableFuture<HttpResponse<String>> response : responses) {
                    assertEquals(
                            200,
                            response.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)
                                    .statusCode());
                }
            } finally {
                peer.destroyForcibly().waitFor();
            }
        }
    }

    private Process startPeer(UnderstudyConfig config) throws IOException {
        String hosts = String.join(
                ",",
                config.hosts().stream()
                        .map(host -> host.host() + ":" + host.port())
                        .toList());
        Path log = directory.resolve("peer.log");
        Process peer = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Djava.net.preferIPv4Stack=true",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Peer.class.getName(),
                        "clusterName=" + config.clusterName(),
                        "nodeName=" + config.nodeName(),
                        "bindPort=" + config.bindPort(),
                        "hosts=" + hosts,
                        "startAlone=serve",
                        "warmUp=off")
                .redirectError(log.toFile())
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(peer.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        while (line != null && !line.equals("ready")) {
            line = output.readLine();
        }
        assertTrue(line != null, "the peer ended with " + peer + ": " + Files.readString(log));
        return peer;
    }
}
