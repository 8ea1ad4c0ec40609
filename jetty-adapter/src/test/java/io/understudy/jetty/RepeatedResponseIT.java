package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.session.SessionHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that more than one response is begun for: interim ones, and errors after a failed response. */
@Tag("container")
@Timeout(300)
final class RepeatedResponseIT {

    /** How long a response must be held whose change is sent: many times what it takes without waiting. */
    private static final int HELD_MILLIS = 100;

    private final Queue<UnderstudySession> used = new ConcurrentLinkedQueue<>();

    private Session change(Request request) {
        Session session = request.getSession(true);
        session.setAttribute("a", System.nanoTime());
        used.add((UnderstudySession) session);
        return session;
    }

    private final class Hinting extends Handler.Abstract {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            change(request);
            var unused = response.writeInterim(103, HttpFields.build().put("Link", "</style.css>"))
                    .thenCompose(sent ->
                            response.writeInterim(103, HttpFields.build().put("Link", "</a.js>")))
                    .thenRun(() -> response.write(true, ByteBuffer.allocate(0), callback));
            return true;
        }
    }

    private static Handler application(Handler handler) {
        SessionHandler sessions = new SessionHandler();
        sessions.setHandler(handler);
        return new ContextHandler(sessions, "/app");
    }

    private void assertNoneUsed(int sessions) {
        assertEquals(sessions, used.size());
        Await.that(
                "no request uses a session any more",
                () -> used.stream().map(UnderstudySession::live).noneMatch(LiveSession::inUse));
    }

    /** It promises nothing, so it leaves at once; the response waits for the changes before and after it. */
    @Test
    void anInterimResponseIsNotHeldAndTheFinalOneIs() throws Exception {
        Cluster cluster = Cluster.of(2, Map.of());
        try (JettyNode first = JettyNode.of(cluster.node(0), application(new Hinting()))
                        .start();
                JettyNode second = JettyNode.of(cluster.node(1), application(new Hinting()))
                        .start()) {
            for (JettyNode node : List.of(first, second)) {
                Await.that("ready", () -> node.understudy.readiness().ready());
            }
            URI uri = first.uri("/app/");
            try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
                BufferedReader answers =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                long before = first.understudy.metrics().value(Counter.DELTAS_SENT);
                Fault paused = cluster.pause(1);
                try {
                    socket.setSoTimeout(60_000);
                    socket.getOutputStream()
                            .write("GET /app/ HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    assertEquals("HTTP/1.1 103 Early Hints", HandshakeIT.head(answers));
                    assertEquals("HTTP/1.1 103 Early Hints", HandshakeIT.head(answers));
                    Await.that(
                            "the change is sent",
                            () -> first.understudy.metrics().value(Counter.DELTAS_SENT) > before);
                    socket.setSoTimeout(HELD_MILLIS);
                    assertThrows(SocketTimeoutException.class, answers::readLine, "not held");
                } finally {
                    paused.close();
                }
                socket.setSoTimeout(60_000);
                assertEquals("HTTP/1.1 200 OK", HandshakeIT.head(answers));
            }
            assertNoneUsed(1);
        } finally {
            cluster.close();
        }
    }

    /** The head of the first can't be sent, as it is too large. Nobody else is there to hold the change. */
    @Test
    void anErrorAfterAFailedResponseWaitsForNothingAgain() {
        try (JettyNode node = JettyNode.of(LoopbackCluster.configs(1).get(0), application(new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        change(request);
                        response.getHeaders().put("Large", "x".repeat(100_000));
                        response.write(
                                true,
                                ByteBuffer.allocate(1),
                                Callback.from(
                                        callback::succeeded,
                                        failure -> Response.writeError(request, response, callback, failure)));
                        return true;
                    }
                }))
                .start()) {
            Await.that("ready", () -> node.understudy.readiness().ready());
            assertEquals(500, new Browser().send(node, "/app/").statusCode());
            assertNoneUsed(1);
            assertEquals(1, node.understudy.metrics().value(Counter.RESPONSES_DEGRADED));
        }
    }

    /** The client gets no end of the response. */
    @Test
    void anErrorAfterTheHeadLeavesNothingBehind() {
        try (JettyNode node = JettyNode.of(LoopbackCluster.configs(1).get(0), application(new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        change(request);
                        response.write(false, ByteBuffer.allocate(10), Callback.from(() -> {
                            change(request);
                            Response.writeError(request, response, callback, new IllegalStateException("late"));
                        }));
                        return true;
                    }
                }))
                .start()) {
            Await.that("ready", () -> node.understudy.readiness().ready());
            assertThrows(RuntimeException.class, () -> new Browser().send(node, "/app/"));
            assertNoneUsed(2);
            assertFalse(used.isEmpty());
            assertTrue(used.stream().allMatch(session -> session.live().valid()));
        }
    }
}
