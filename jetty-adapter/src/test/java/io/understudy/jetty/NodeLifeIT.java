package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpSession;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes and contexts that start, stop and are configured wrongly. */
@Tag("container")
@Timeout(300)
final class NodeLifeIT {

    static final Map<String, JettyNode.Action> COUNTER = Map.of("/count", (request, response) -> {
        HttpSession session = request.getSession();
        Integer count = (Integer) session.getAttribute("count");
        session.setAttribute("count", count == null ? 1 : count + 1);
        response.getWriter().print(session.getAttribute("count"));
    });

    @Test
    void aNodeThatStopsLeavesItsSessionsToTheOthers() throws Exception {
        try (JettyCluster cluster = cluster(2)) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/count");
            browser.get(cluster.node(0), "/app/count");
            cluster.node(0).server.stop();
            cluster.node(0).understudy.close();
            assertEquals("3", browser.get(cluster.node(1), "/app/count"));
            assertEquals("1", new Browser().get(cluster.node(1), "/app/count"));
        }
    }

    @Test
    void aNodeThatJoinsLaterHasTheSessionsOfBefore() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        try (JettyNode first = node(configs.get(0)).start()) {
            Browser browser = new Browser();
            browser.get(first, "/app/count");
            browser.get(first, "/app/count");
            try (JettyNode second = node(configs.get(1)).start()) {
                HttpResponse<String> early = browser.send(second, "/app/count");
                assertTrue(
                        early.statusCode() == 503 || early.body().equals("3"),
                        "fetched, or refused, but never a new session: " + early.statusCode() + " " + early.body());
                int before = early.statusCode() == 503 ? 2 : 3;
                Await.that("ready", () -> second.understudy.readiness().ready());
                assertEquals("" + (before + 1), browser.get(second, "/app/count"));
            }
        }
    }

    @Test
    void aNodeThatIsNotReadyRefusesASessionItCanNotKnow() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, Map.of(Setting.START_ALONE, "wait 60s"));
        try (JettyNode waiting = node(configs.get(0)).start()) {
            assertFalse(waiting.understudy.readiness().ready());
            Browser browser = Browser.bearing("unknown");
            HttpResponse<String> refused = browser.send(waiting, "/app/count");
            assertEquals(503, refused.statusCode());
            assertTrue(refused.headers().firstValue("Retry-After").isPresent());
            assertEquals("unknown", browser.sessionId(), "no new session");
            assertEquals(
                    200, new Browser().send(waiting, "/app/count").statusCode(), "nor does it refuse new visitors");
        }
    }

    /**
     * Spring Boot takes the connectors away, starts the server, and gives it the connectors in the end. When it stops it
     * shuts them down, and waits for requests after that.
     */
    @Test
    void aNodeIsReadyWhenItsServerTakesRequests() throws Exception {
        try (JettyNode node = node(LoopbackCluster.configs(1).get(0))) {
            Connector[] connectors = node.server.getConnectors();
            node.server.setConnectors(null);
            node.start();
            Await.until(
                    Await.LIMIT,
                    node.understudy::readiness,
                    () -> node.understudy
                            .readiness()
                            .reason()
                            .endsWith("its server or application does not accept requests"));
            assertFalse(node.understudy.readiness().ready());
            node.server.setConnectors(connectors);
            assertFalse(node.understudy.readiness().ready());
            connectors[0].start();
            Await.that("ready", () -> node.understudy.readiness().ready());
            node.server.getDescendant(ServletContextHandler.class).setAvailable(false);
            assertFalse(node.understudy.readiness().ready(), "as after a failure of the application's listeners");
            node.server.getDescendant(ServletContextHandler.class).setAvailable(true);
            assertTrue(node.understudy.readiness().ready());
            CompletableFuture<Void> closed = connectors[0].shutdown();
            assertFalse(node.understudy.readiness().ready(), "nobody can connect any more");
            closed.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void aContextThatIsRedeployedFindsItsSessionsAgain() throws Exception {
        try (JettyCluster cluster = cluster(2)) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/count");
            ServletContextHandler context = cluster.node(0).server.getDescendant(ServletContextHandler.class);
            for (int i = 2; i < 5; i++) {
                context.stop();
                context.start();
                Await.that("ready", () -> cluster.node(0).understudy.readiness().ready());
                assertEquals("" + i, browser.get(cluster.node(0), "/app/count"));
            }
        }
    }

    @Test
    void anApplicationRedeployedOnAllNodesAtOnceLosesNothing() throws Exception {
        try (JettyCluster cluster = cluster(2)) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/count");
            browser.get(cluster.node(1), "/app/count");
            List<ServletContextHandler> contexts = cluster.nodes().stream()
                    .map(node -> node.server.getDescendant(ServletContextHandler.class))
                    .toList();
            for (ServletContextHandler context : contexts) {
                context.stop();
            }
            for (ServletContextHandler context : contexts) {
                context.start();
            }
            for (JettyNode node : cluster.nodes()) {
                Await.that("ready", () -> node.understudy.readiness().ready());
            }
            assertEquals("3", browser.get(cluster.node(1), "/app/count"));
            assertEquals("4", browser.get(cluster.node(0), "/app/count"));
        }
    }

    @Test
    void theChannelOutlivesTheContexts() throws Exception {
        UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
        Server server = new Server();
        UnderstudySessionFactory factory = new UnderstudySessionFactory(config);
        boolean[] connected = new boolean[1];
        server.addBean(factory);
        server.setHandler(JettyNode.webapp(COUNTER, List.of(new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                connected[0] = factory.node().config().equals(config);
            }
        })));
        for (int i = 0; i < 2; i++) {
            server.start();
            server.stop();
            assertTrue(connected[0], "the node was closed before the contexts");
            assertThrows(IllegalStateException.class, factory::node, "the node was not closed");
        }
    }

    @Test
    void anUnknownSettingMakesTheStartFailAndNamesTheNearest() throws Exception {
        Server server = new Server();
        UnderstudySessionFactory factory = new UnderstudySessionFactory();
        factory.setProperty("clusterNam", "shop");
        server.addBean(factory);
        ConfigException failure = assertThrows(ConfigException.class, server::start);
        assertTrue(failure.getMessage().contains("clusterName"), failure.getMessage());
        server.stop();
    }

    @Test
    void aContextWithACacheOfItsOwnIsLeftAlone() throws Exception {
        Server server = new Server();
        server.addBean(new UnderstudySessionFactory(LoopbackCluster.configs(1).get(0)));
        ServletContextHandler own = JettyNode.webapp(COUNTER, List.of());
        own.getSessionHandler()
                .setSessionCache(new org.eclipse.jetty.session.DefaultSessionCache(own.getSessionHandler()));
        own.getSessionHandler()
                .getSessionCache()
                .setSessionDataStore(new org.eclipse.jetty.session.NullSessionDataStore());
        server.setHandler(own);
        server.start();
        assertFalse(own.getSessionHandler().getSessionCache() instanceof UnderstudySessionCache);
        server.stop();
    }

    @Test
    void aContextThatTakesOverWhileTheOldOneStillRunsHasItsSessions() throws Exception {
        List<JettyNode> nodes = new ArrayList<>();
        ContextHandlerCollection contexts = new ContextHandlerCollection();
        ServletContextHandler old = JettyNode.webapp(COUNTER, List.of());
        contexts.addHandler(old);
        try (JettyCluster cluster = JettyCluster.of(2).start(config -> {
            JettyNode node = nodes.isEmpty() ? JettyNode.of(config, contexts) : node(config);
            nodes.add(node);
            return node;
        })) {
            Browser browser = new Browser();
            browser.get(cluster.node(0), "/app/count");
            ServletContextHandler renewed = JettyNode.webapp(COUNTER, List.of());
            renewed.setServer(cluster.node(0).server);
            renewed.start();
            assertEquals("2", browser.get(cluster.node(0), "/app/count"));
            Callback.Completable redeployed = new Callback.Completable();
            contexts.redeployHandler(old, renewed, redeployed);
            redeployed.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertTrue(old.isStopped());
            assertEquals("3", browser.get(cluster.node(0), "/app/count"));
            assertEquals("4", browser.get(cluster.node(1), "/app/count"));
            assertEquals("5", browser.get(cluster.node(0), "/app/count"));
        }
    }

    @Test
    void theApplicationIsNamedByItsPathAndVirtualHostUnlessNamedOtherwise() throws Exception {
        Server server = new Server();
        UnderstudySessionFactory factory =
                new UnderstudySessionFactory(LoopbackCluster.configs(1).get(0));
        factory.setApplicationName("/named", "shop");
        server.addBean(factory);
        ServletContextHandler hosted = new ServletContextHandler("/hosted", ServletContextHandler.SESSIONS);
        hosted.setVirtualHosts(List.of("shop.example", "www.shop.example"));
        server.setHandler(new ContextHandlerCollection(
                new ServletContextHandler("/", ServletContextHandler.SESSIONS),
                new ServletContextHandler("/plain", ServletContextHandler.SESSIONS),
                new ServletContextHandler("/named", ServletContextHandler.SESSIONS),
                hosted));
        server.start();
        assertEquals(
                List.of("/", "/plain", "shop", "shop.example/hosted"),
                server.getContainedBeans(SessionManager.class).stream()
                        .map(manager -> (UnderstudySessionDataStore)
                                manager.getSessionCache().getSessionDataStore())
                        .map(store -> store.sessions().application())
                        .sorted()
                        .toList());
        server.stop();
        assertNull(ExchangeScope.current(), "scopes are left as they were entered");
    }

    @Test
    void whatWasToStartAfterTheContextsStillDoes() throws Exception {
        Server server = new Server();
        ServletContextHandler context = JettyNode.webapp(COUNTER, List.of());
        boolean[] started = new boolean[1];
        server.setHandler(context);
        server.addBean(new UnderstudySessionFactory(LoopbackCluster.configs(1).get(0)));
        server.addBean(new AbstractLifeCycle() {
            @Override
            protected void doStart() {
                started[0] = context.isStarted();
            }
        });
        server.start();
        assertTrue(started[0]);
        assertTrue(server.getHandler() instanceof UnderstudyHandler, "in front: " + server.getHandler());
        server.stop();
    }

    private static JettyCluster cluster(int size) {
        return JettyCluster.of(size).start(NodeLifeIT::node);
    }

    static JettyNode node(UnderstudyConfig config) {
        return JettyNode.of(config, JettyNode.webapp(COUNTER, List.of()));
    }
}
