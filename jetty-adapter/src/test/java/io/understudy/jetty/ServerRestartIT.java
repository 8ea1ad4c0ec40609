package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.NodeFigures;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is started again in its process, as operators do; each start is that of a new node. */
@Tag("container")
@Timeout(300)
final class ServerRestartIT {

    private final List<UnderstudyConfig> configs = LoopbackCluster.configs(2, Map.of(Setting.START_ALONE, "serve"));
    private final Map<String, JettyNode.Action> actions = new HashMap<>(NodeLifeIT.COUNTER);
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server, 1, 1);
    private final UnderstudySessionFactory factory = new UnderstudySessionFactory(configs.get(0));
    private final Browser.Server restarted = path -> URI.create("http://127.0.0.1:" + connector.getLocalPort() + path);
    private final Browser browser = new Browser();
    private JettyNode other;

    @BeforeEach
    void start() {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.addBean(factory);
        other = NodeLifeIT.node(configs.get(1)).start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        other.close();
    }

    private void awaitReady() {
        Await.that(
                "ready",
                () -> factory.node().readiness().ready()
                        && other.understudy.readiness().ready()
                        && together(factory.node(), other.understudy));
    }

    /** Whether each knows that the other one is ready for the application. */
    private static boolean together(Understudy... nodes) {
        return Arrays.stream(nodes).allMatch(node -> NodeFigures.viewHas(node, nodes.length))
                && NodeFigures.allKnownReady(List.of(nodes));
    }

    /** As when the keys of a connector can't be read, which the operator mends. */
    @Test
    void itReplicatesAfterAStartInWhichAConnectorFailed() throws Exception {
        ServerConnector failing = new ServerConnector(server, 1, 1) {
            @Override
            protected void doStart() throws Exception {
                throw new IOException("no keys");
            }
        };
        failing.setHost("127.0.0.1");
        server.setConnectors(new Connector[] {failing});
        server.setHandler(JettyNode.webapp(actions, List.of()));
        assertThrows(IOException.class, server::start);
        server.setConnectors(new Connector[] {connector});
        server.start();
        awaitReady();
        assertEquals("1", browser.get(restarted, "/app/count"));
        assertEquals("2", browser.get(other, "/app/count"));
        server.stop();
        assertThrows(IllegalStateException.class, factory::node, "the node was not closed");
    }

    /** Its end gives the session's object back to the cache, which the next start uses again. */
    @Test
    void aRequestThatOutlastsTheServerLeavesNothingOld() throws Exception {
        CompletableFuture<Thread> inside = new CompletableFuture<>();
        CompletableFuture<Void> mayEnd = new CompletableFuture<>();
        actions.put("/hold", (request, response) -> {
            request.getSession().setAttribute("held", true);
            inside.complete(Thread.currentThread());
            mayEnd.join(); // The server interrupts it in vain.
        });
        ((QueuedThreadPool) server.getThreadPool()).setStopTimeout(100);
        server.setHandler(JettyNode.webapp(actions, List.of()));
        server.start();
        try {
            awaitReady();
            assertEquals("1", browser.get(restarted, "/app/count"));
            CompletableFuture<HttpResponse<String>> held = browser.start(restarted, "/app/hold");
            Thread holding = inside.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            server.stop();
            server.start();
            awaitReady();
            mayEnd.complete(null);
            Await.that(
                    "it is over",
                    () -> Arrays.stream(holding.getStackTrace())
                            .noneMatch(frame -> frame.getClassName().equals(UnderstudyHandler.class.getName())));
            held.cancel(true);
            for (int i = 2; i < 6; i++) {
                assertEquals("" + i, browser.get(i % 2 == 0 ? restarted : other, "/app/count"));
            }
        } finally {
            mayEnd.complete(null);
        }
    }

    @Test
    void itReplicatesAgain() throws Exception {
        List<String> ended = new CopyOnWriteArrayList<>();
        actions.put("/end", (request, response) -> request.getSession().invalidate());
        server.setHandler(JettyNode.webapp(actions, List.of(new HttpSessionListener() {
            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                ended.add(event.getSession().getId());
            }
        })));
        List<Integer> listeners = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            server.start();
            awaitReady();
            Browser late = new Browser();
            assertEquals("1", late.get(restarted, "/app/count"));
            assertEquals("2", late.get(other, "/app/count"));
            assertEquals("3", late.get(restarted, "/app/count"));
            Browser early = new Browser();
            assertEquals("1", early.get(restarted, "/app/count"));
            assertEquals(1, server.getDescendants(UnderstudyHandler.class).size());
            listeners.add(server.getEventListeners().size());
            server.stop();
            assertEquals("4", late.get(other, "/app/count"), "it goes on while the server is down");
            Await.that("it has left", () -> NodeFigures.viewHas(other.understudy, 1));
            server.start();
            awaitReady();
            assertEquals("5", late.get(restarted, "/app/count"), "nothing old is left of the first start");
            assertEquals("2", early.get(restarted, "/app/count"));
            assertEquals("3", early.get(other, "/app/count"));
            ended.clear();
            assertEquals(200, early.send(restarted, "/app/end").statusCode());
            assertEquals(1, ended.size());
            assertEquals("1", early.get(other, "/app/count"));
            listeners.add(server.getEventListeners().size());
            server.stop();
        }
        assertEquals(1, Set.copyOf(listeners).size(), "no start adds a listener for good: " + listeners);
    }
}
