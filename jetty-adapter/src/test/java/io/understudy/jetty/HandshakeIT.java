package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.http.HttpSession;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.Session;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A web socket whose handshake changes the session. */
@Tag("container")
@Timeout(300)
final class HandshakeIT {

    private static final AtomicInteger opened = new AtomicInteger();

    public static final class Echo extends Endpoint {

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            opened.incrementAndGet();
        }
    }

    private static final class Changing extends ServerEndpointConfig.Configurator {

        @Override
        public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
            ((HttpSession) request.getHttpSession()).setAttribute("socket", "open");
        }
    }

    /** Nobody else is there to hold the change. */
    @ParameterizedTest
    @ValueSource(strings = {"refuse", "proceed"})
    void onlyAnAcceptedHandshakeOpensASocket(String onDegraded) throws Exception {
        opened.set(0);
        ServletContextHandler context = JettyNode.webapp(
                Map.of("/begin", (request, response) -> request.getSession(), "/none", (request, response) -> {}),
                List.of());
        JakartaWebSocketServletContainerInitializer.configure(
                context,
                (servlets, sockets) -> sockets.addEndpoint(ServerEndpointConfig.Builder.create(Echo.class, "/socket")
                        .configurator(new Changing())
                        .build()));
        try (JettyNode node = JettyNode.of(
                        LoopbackCluster.configs(1, Map.of(Setting.ON_DEGRADED, onDegraded))
                                .get(0),
                        context)
                .start()) {
            Await.that("ready", () -> node.understudy.readiness().ready());
            URI uri = node.uri("/app/socket");
            try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
                socket.setSoTimeout(60_000);
                BufferedReader answers =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                String session = session(socket, answers);
                send(
                        socket,
                        "GET /app/socket HTTP/1.1\r\nHost: localhost\r\nCookie: JSESSIONID=" + session
                                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
                String status = head(answers);
                if (onDegraded.equals("proceed")) {
                    assertTrue(status.contains(" 101 "), status);
                    Await.that("it is open", () -> opened.get() == 1);
                } else {
                    assertTrue(status.contains(" 503 "), status);
                    send(socket, "GET /app/none HTTP/1.1\r\nHost: localhost\r\n\r\n");
                    String next = head(answers);
                    assertTrue(next.contains(" 200 "), () -> "the connection is one of requests: " + next);
                    assertEquals(0, opened.get());
                }
            }
        }
    }

    private static String session(Socket socket, BufferedReader answers) throws IOException {
        send(socket, "GET /app/begin HTTP/1.1\r\nHost: localhost\r\n\r\n");
        String line = answers.readLine();
        String session = "";
        while (!line.isEmpty()) {
            if (line.startsWith("Set-Cookie: JSESSIONID=")) {
                session = line.replaceFirst("Set-Cookie: JSESSIONID=([^;]*).*", "$1");
            }
            line = answers.readLine();
        }
        return session;
    }

    private static void send(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads the head of a response; the first line of it. */
    static String head(BufferedReader answers) throws IOException {
        String status = answers.readLine();
        String line = status;
        while (line != null && !line.isEmpty()) {
            line = answers.readLine();
        }
        return String.valueOf(status);
    }
}
