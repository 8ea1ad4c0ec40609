package io.understudy.demo.launcher.frontdoor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("container")
final class FrontDoorTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<ScriptedNode> nodes = new ArrayList<>();
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    @AfterEach
    void stop() throws Exception {
        server.stop();
        for (ScriptedNode node : nodes) {
            node.close();
            assertTrue(node.inFlight().isEmpty(), "every request that entered has left " + node.name());
        }
    }

    @Test
    void aClientStaysOnItsNodeAndMovesWhenThatIsNotReady() throws Exception {
        ScriptedNode a = node(ScriptedNode.saying("a", "from a"));
        node(ScriptedNode.saying("b", "from b"));
        start();

        for (int i = 0; i < 4; i++) {
            HttpResponse<String> response = send(get("/").header("Cookie", "x=1; understudy-route=a"));
            assertEquals("from a", response.body());
            assertNull(route(response), "the cookie holds already");
        }
        a.ready = false;
        HttpResponse<String> response = send(get("/").header("Cookie", "understudy-route=a"));
        assertEquals("from b", response.body());
        assertEquals("understudy-route=b; Path=/; HttpOnly; SameSite=Lax", route(response));
        assertEquals(4, a.received().size(), "a node that is not ready gets nothing");
    }

    @Test
    void clientsWithoutANodeAreSpread() throws Exception {
        ScriptedNode a = node(ScriptedNode.saying("a", "from a"));
        ScriptedNode b = node(ScriptedNode.saying("b", "from b"));
        start();

        for (int i = 0; i < 6; i++) {
            send(get("/"));
        }
        assertEquals(3, a.received().size());
        assertEquals(3, b.received().size());
    }

    @Test
    void aReadIsRepeatedOnAnotherNodeWhenItsConnectionBreaks() throws Exception {
        ScriptedNode a = node(new ScriptedNode("a", ScriptedNode.BREAK_OFF));
        node(ScriptedNode.saying("b", "from b"));
        start();

        HttpResponse<String> response = send(get("/state?x=1").header("Cookie", "understudy-route=a"));

        assertEquals("from b", response.body());
        assertEquals(1, a.received().size());
    }

    @Test
    void aWriteThatWasSentIsNeverRepeated() throws Exception {
        node(new ScriptedNode("a", ScriptedNode.BREAK_OFF));
        ScriptedNode b = node(ScriptedNode.saying("b", "from b"));
        start();

        HttpResponse<String> response = send(post("/counter", "x=1").header("Cookie", "understudy-route=a"));

        assertEquals(502, response.statusCode());
        assertTrue(response.body().startsWith("a broke off before it answered. Whether this POST"), response.body());
        assertEquals(0, b.received().size());
    }

    @Test
    void aWriteThatWasNotSentGoesToAnotherNodeWithItsBody() throws Exception {
        ScriptedNode a = node(ScriptedNode.saying("a", "from a"));
        a.close();
        ScriptedNode b = node(ScriptedNode.saying("b", "from b"));
        start();

        HttpResponse<String> response = send(post("/note", "text=kept").header("Cookie", "understudy-route=a"));

        assertEquals("from b", response.body());
        assertEquals("text=kept", b.received().get(0).body());
    }

    @Test
    void aReadLeavesANodeThatFellSilentWhenItIsAbandoned() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ScriptedNode a = node(new ScriptedNode("a", (request, out) -> {
            reached.countDown();
            end.await();
        }));
        node(ScriptedNode.saying("b", "from b"));
        start();

        CompletableFuture<HttpResponse<String>> response = client.sendAsync(
                get("/").header("Cookie", "understudy-route=a").build(), HttpResponse.BodyHandlers.ofString());
        assertTrue(reached.await(60, TimeUnit.SECONDS));
        a.ready = false;
        a.inFlight().forEach(Backend.Exchange::abandon);

        assertEquals("from b", response.get(60, TimeUnit.SECONDS).body());
        end.countDown();
    }

    @Test
    void aWriteIsNotAbandoned() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        ScriptedNode a = node(new ScriptedNode("a", (request, out) -> {
            reached.countDown();
            resumed.await();
            ScriptedNode.write(out, "HTTP/1.1 200 OK\r\n", "from a, late");
        }));
        node(ScriptedNode.saying("b", "from b"));
        start();

        CompletableFuture<HttpResponse<String>> response = client.sendAsync(
                post("/counter", "x=1").header("Cookie", "understudy-route=a").build(),
                HttpResponse.BodyHandlers.ofString());
        assertTrue(reached.await(60, TimeUnit.SECONDS));
        a.inFlight().forEach(Backend.Exchange::abandon);
        resumed.countDown();

        assertEquals("from a, late", response.get(60, TimeUnit.SECONDS).body());
    }

    @Test
    void withNoNodeReadyClientsAreAskedToComeBack() throws Exception {
        node(ScriptedNode.saying("a", "from a")).ready = false;
        start();

        HttpResponse<String> response = send(get("/"));

        assertEquals(503, response.statusCode());
        assertEquals("1", response.headers().firstValue("Retry-After").orElseThrow());
    }

    @Test
    void aReadThatANodeTurnsAwayGoesToAnotherOneAndAWriteDoesNot() throws Exception {
        node(new ScriptedNode(
                "a",
                (request, out) -> ScriptedNode.write(
                        out, "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nX-From: a\r\n", "joining")));
        ScriptedNode b = node(ScriptedNode.saying("b", "from b"));
        start();

        HttpResponse<String> read = send(get("/").header("Cookie", "understudy-route=a"));
        assertEquals("from b", read.body());
        assertEquals(200, read.statusCode());
        assertTrue(read.headers().firstValue("X-From").isEmpty(), "nothing of the first answer is left");

        HttpResponse<String> write = send(post("/counter", "x=1").header("Cookie", "understudy-route=a"));
        assertEquals(503, write.statusCode());
        assertEquals("2", write.headers().firstValue("Retry-After").orElseThrow());

        b.ready = false;
        HttpResponse<String> alone = send(get("/").header("Cookie", "understudy-route=a"));
        assertEquals("joining", alone.body(), "with no other node left, its answer is the answer");
    }

    @Test
    void aReadThatFailsOnEveryNodeIsNotTriedForEver() throws Exception {
        ScriptedNode a = node(new ScriptedNode("a", ScriptedNode.BREAK_OFF));
        ScriptedNode b = node(new ScriptedNode("b", ScriptedNode.BREAK_OFF));
        start();

        assertEquals(503, send(get("/")).statusCode());
        assertEquals(2, a.received().size() + b.received().size());
    }

    @Test
    void hostCookiesAndRedirectsComeThrough() throws Exception {
        ScriptedNode a = node(new ScriptedNode("a", (request, out) -> {
            String port = request.firstLine().replaceAll(".*port=(\\d+).*", "$1");
            ScriptedNode.write(
                    out,
                    "HTTP/1.1 303 See Other\r\nLocation: http://127.0.0.1:" + port
                            + "/next?a=b\r\nSet-Cookie: JSESSIONID=1; Path=/\r\nSet-Cookie: other=2\r\n",
                    "");
        }));
        start();

        HttpResponse<String> response = send(post("/login?port=" + a.httpPort(), "user=Ada"));

        assertEquals(303, response.statusCode());
        assertEquals("/next?a=b", response.headers().firstValue("Location").orElseThrow());
        assertEquals(
                List.of("JSESSIONID=1; Path=/", "other=2", "understudy-route=a; Path=/; HttpOnly; SameSite=Lax"),
                response.headers().allValues("Set-Cookie"));
        String head = a.received().get(0).head();
        assertTrue(head.contains("Host: 127.0.0.1:" + connector.getLocalPort() + "\r\n"), head);
    }

    @Test
    void aResponseIsPassedOnWhileItIsWritten() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        node(new ScriptedNode("a", (request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            seen.await();
            out.write('2');
        }));
        start();

        HttpResponse<InputStream> response = client.send(get("/").build(), HttpResponse.BodyHandlers.ofInputStream());

        assertEquals('1', response.body().read());
        seen.countDown();
        assertEquals('2', response.body().read());
    }

    private ScriptedNode node(ScriptedNode node) {
        nodes.add(node);
        return node;
    }

    private void start() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new FrontDoor(nodes));
        server.start();
    }

    private HttpRequest.Builder get(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + connector.getLocalPort() + path))
                .timeout(TIMEOUT);
    }

    private HttpRequest.Builder post(String path, String body) {
        return get(path).POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String route(HttpResponse<?> response) {
        return response.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith("understudy-route="))
                .findAny()
                .orElse(null);
    }
}
