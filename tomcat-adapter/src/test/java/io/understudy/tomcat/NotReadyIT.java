package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that has not met the others yet can't tell whether a session exists. */
@Tag("container")
class NotReadyIT {

    private final AtomicInteger served = new AtomicInteger();

    @Test
    void anExistingSessionIsRefusedUntilTheOthersAreThereAndNeverReplaced() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, Map.of(Setting.START_ALONE, "wait 60s"));
        Pages pages = new Pages().on("/who", (request, response) -> {
            served.incrementAndGet();
            response.getWriter().print(request.getSession().isNew());
        });
        Browser browser = Browser.bearing("0123456789ABCDEF0123456789ABCDEF");
        try (TomcatNode first = TomcatNode.start(configs.get(0), pages)) {
            HttpResponse<String> refused = browser.send(first, "/who");
            assertEquals(503, refused.statusCode());
            assertTrue(refused.headers().firstValue("Retry-After").isPresent());
            assertFalse(refused.headers().firstValue("Set-Cookie").isPresent());
            assertEquals(0, served.get());
            Browser stranger = new Browser();
            assertNull(stranger.sessionId());
            assertEquals("true", stranger.get(first, "/who"));

            try (TomcatNode second = TomcatNode.start(configs.get(1), pages)) {
                first.awaitReady();
                second.awaitReady();
                assertEquals("false", stranger.get(second, "/who"));
                assertEquals("true", browser.get(first, "/who"));
            }
        }
    }

    @Test
    void aNodeThatJoinsAnswersForSessionsThatBeganBefore() {
        Pages pages = new Pages()
                .on("/set", (request, response) -> request.getSession().setAttribute("name", "ann"))
                .on(
                        "/who",
                        (request, response) ->
                                response.getWriter().print(request.getSession().getAttribute("name")));
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        try (TomcatNode first = TomcatNode.start(configs.get(0), pages)) {
            first.awaitReady();
            Browser browser = new Browser();
            browser.get(first, "/set");
            try (TomcatNode second = TomcatNode.start(configs.get(1), pages)) {
                // Fetched or refused while it joins, but never a new session.
                Await.that("the joiner serves it", () -> {
                    HttpResponse<String> response = browser.send(second, "/who");
                    assertTrue(response.statusCode() == 503 || response.body().equals("ann"), response::body);
                    return response.statusCode() == 200;
                });
            }
        }
    }

    /**
     * Spring Boot takes the connectors away, starts the server, and gives it the connectors in the end. When it stops it
     * closes their ports, and waits for requests after that.
     */
    @Test
    void aNodeIsReadyWhenItsServerTakesRequests(@TempDir Path directory) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        TomcatNode.listen(tomcat);
        Connector connector = tomcat.getConnector();
        connector.setProperty("bindOnInit", "false"); // As Spring Boot does.
        tomcat.getService().removeConnector(connector);
        try (Understudy node = NodeStart.start(LoopbackCluster.configs(1).get(0))) {
            tomcat.addContext("/shop", directory.toString()).setManager(new UnderstudyManager(node));
            tomcat.start();
            Await.until(
                    Await.LIMIT,
                    node::readiness,
                    () -> node.readiness().reason().endsWith("its server or application does not accept requests"));
            assertFalse(node.readiness().ready());
            tomcat.getService().addConnector(connector);
            Await.that("the node is ready", () -> node.readiness().ready());
            connector.pause();
            connector.getProtocolHandler().closeServerSocketGraceful();
            assertFalse(node.readiness().ready(), "nobody can connect any more");
            tomcat.stop();
            tomcat.destroy();
        }
    }
}
