package io.understudy.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.springboot.BootNode.Container;
import io.understudy.springboot.shop.ShopPages;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes of an application that has the starter, and nothing else that has to do with sessions. */
abstract class FailOverContract {

    /** Discovery looks at ten ports from here on; the other tests use those from 7800 on. */
    private static final String PORT = "understudy.bind-port=17800";

    private static final Duration LIMIT = Await.LIMIT;

    private final Container container;
    private final String serverInfo;
    private final String cluster =
            "boot-" + getClass().getSimpleName() + "-" + ProcessHandle.current().pid();

    @TempDir
    private Path temporary;

    /** @param serverInfo how the container's name and version begin */
    FailOverContract(Container container, String serverInfo) {
        this.container = container;
        this.serverInfo = serverInfo;
    }

    @Test
    void aSessionGoesOnWhenItsNodeIsKilledAndOutlivesARestartOfTheLastOne() throws IOException {
        Browser browser = new Browser();
        try (BootNode a = start("a").awaitListening();
                BootNode b = start("b").awaitListening()) {
            awaitReady(a, 2);
            awaitReady(b, 2);
            assertEquals("rose", browser.get(a, "/add?item=rose"));
            assertEquals("rose,tulip", browser.get(b, "/add?item=tulip"));
            assertEquals("rose,tulip,lily", browser.get(a, "/add?item=lily"));

            a.kill();
            assertEquals("rose,tulip,lily", browser.get(b, "/cart"));
            assertTrue(browser.get(b.management(), "/actuator/health").contains("UP"), b::output);

            b.restart();
            awaitReady(b, 1);
            assertEquals("rose,tulip,lily", browser.get(b, "/cart"), b::output);
            assertTrue(browser.get(b.management(), "/actuator/health").contains("UP"), b::output);
        }
    }

    /** It accepts no connections any more, while it still answers the requests that it has. */
    @Test
    void aNodeThatShutsDownGracefullyIsNotReady() throws Exception {
        try (BootNode node = start("a").awaitListening()) {
            awaitReady(node, 1);
            CompletableFuture<HttpResponse<String>> held = new Browser().start(node, "/hold");
            Await.until(LIMIT, node::output, () -> node.output().contains(ShopPages.HELD));
            node.stop();
            HttpResponse<String> answer = held.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertTrue(answer.body().endsWith("its server or application does not accept requests"), answer::body);
            assertEquals(0, node.awaitEnd(), node::output);
        }
    }

    /** With what has to do with sessions and servers in Spring Boot's own settings, which must not get in the way. */
    private BootNode start(String name) throws IOException {
        return new BootNode(
                container,
                temporary,
                Map.of("UNDERSTUDY_TOUCH_INTERVAL", "2s", "UNDERSTUDY_SERVICE_HOST", "10.0.0.1"),
                PORT,
                "understudy.enabled=on",
                "understudy.nodeName=" + name,
                "understudy.ack-timeout=9s",
                "spring.application.name=" + cluster,
                "server.shutdown=graceful",
                "server.servlet.session.persistent=true");
    }

    /** A node listens before it is ready; until then it has not restored what it kept. */
    private void awaitReady(BootNode node, int members) {
        Browser browser = Browser.forgetful();
        Await.until(LIMIT, () -> browser.get(node, "/node") + "\n" + node.output(), () -> {
            String state = browser.get(node, "/node");
            return state.startsWith(
                            cluster + " in " + serverInfo) // The name is spring.application.name, as none is given.
                    && state.contains("ackTimeout PT9S, touchInterval PT2S, ready true, ")
                    && state.contains("(" + members + ")");
        });
        assertTrue(
                node.output().contains("understudy.service.host"), () -> "no warning of a variable: " + node.output());
    }
}
