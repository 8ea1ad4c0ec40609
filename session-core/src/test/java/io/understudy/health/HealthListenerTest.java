package io.understudy.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that do not behave, each by a socket of its own. */
@Tag("cluster")
class HealthListenerTest {

    private static final int MAX = 4;
    private static final String LARGE = "x".repeat(32 << 20);
    private static final String READY = "GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final CompletableFuture<Consumer<HealthResponse>> later = new CompletableFuture<>();
    private final List<Socket> sockets = new ArrayList<>();
    private HealthListener listener;

    private void start(Duration limit) throws IOException {
        start(limit, System::nanoTime);
    }

    private void start(Duration limit, LongSupplier nanos) throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = HealthListener.start("a", at, MAX, limit, nanos, (request, answer) -> {
            switch (request.path()) {
                case "/later" -> later.complete(answer);
                case "/large" -> answer.accept(new HealthResponse(200, LARGE));
                case "/fails" -> throw new IllegalStateException("broken");
                default -> answer.accept(new HealthResponse(200, request.path() + "\n"));
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket open(String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        sockets.add(socket);
        return socket;
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String answer(String bytes) throws IOException {
        return rest(open(bytes));
    }

    private static void closed(Socket socket) throws IOException {
        try {
            assertEquals("", rest(socket));
        } catch (SocketException e) {
            assertEquals("Connection reset", e.getMessage());
        }
    }

    @Test
    void ofTooManyConnectionsTheFirstIsClosed() throws Exception {
        start(Duration.ofHours(1));
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 3 * MAX; i++) {
            silent.add(open("GET /ready HTTP/1.1\r\n"));
        }
        assertTrue(answer(READY).endsWith("\n/ready\n"));
        for (Socket first : silent.subList(0, 2 * MAX + 1)) {
            closed(first);
        }
        Socket last = silent.get(silent.size() - 1);
        last.getOutputStream().write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(rest(last).endsWith("\n/ready\n"), "the last ones were kept");
    }

    @Test
    void halfOpenRequestsKeepNoOtherWaiting() throws Exception {
        start(Duration.ofHours(1));
        List<Socket> halfOpen = new ArrayList<>();
        for (int i = 0; i < MAX - 1; i++) {
            halfOpen.add(open("GET /slow HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
        }
        assertTrue(answer(READY).endsWith("\n/ready\n"));
        for (Socket each : halfOpen) {
            each.getOutputStream().write("x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            assertTrue(rest(each).endsWith("\n/slow\n"), "it was open all the time");
        }
    }

    @Test
    void whoWaitsForItsAnswerIsNotClosedForOthers() throws Exception {
        start(Duration.ofHours(1));
        Socket waits = open("POST /later HTTP/1.1\r\n\r\n");
        Consumer<HealthResponse> answer = later.get();
        for (int i = 0; i < 3 * MAX; i++) {
            open("");
        }
        assertTrue(answer(READY).endsWith("\n/ready\n"));
        answer.accept(new HealthResponse(200, "done\n"));
        answer.accept(new HealthResponse(500, "done twice\n"));
        String text = rest(waits);
        assertTrue(text.startsWith("HTTP/1.1 200 OK\r\n") && text.endsWith("\r\n\r\ndone\n"), text);
    }

    @Test
    void whoSendsNoWholeRequestIsClosedInTheEnd() throws Exception {
        start(Duration.ofMillis(200));
        closed(open("GET /ready HTTP/1.1\r\nHost:"));
        closed(open(""));
    }

    @Test
    void whoReadsNothingIsClosedInTheEnd() throws Exception {
        AtomicLong nanos = new AtomicLong();
        start(Duration.ofHours(1), nanos::get);
        Socket slow = open("GET /large HTTP/1.1\r\n\r\n");
        assertTrue(slow.getInputStream().read() >= 0, "its answer has begun");
        Socket silent = open("GET /ready HTTP/1.1\r\n");
        assertTrue(answer(READY).endsWith("\n/ready\n"), "it is accepted");
        nanos.addAndGet(Duration.ofHours(2).toNanos());
        closed(silent); // The slow one is closed by then, as it is older.
        assertTrue(rest(slow).length() < LARGE.length(), "the rest was not sent");
    }

    @Test
    void aLargeAnswerArrivesWhole() throws Exception {
        start(Duration.ofHours(1));
        String text = answer("GET /large HTTP/1.1\r\n\r\n");
        assertEquals(LARGE.length(), text.length() - text.indexOf("\r\n\r\n") - 4);
    }

    @Test
    void anAnswerArrivesAlthoughABodyWasNotRead() throws Exception {
        start(Duration.ofHours(1));
        String body = "y".repeat(1 << 20);
        String text = answer("POST /ready HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        assertTrue(text.endsWith("\n/ready\n"), text);
    }

    @Test
    void whatIsNoRequestIsRefused() throws Exception {
        start(Duration.ofHours(1));
        assertTrue(answer("HELLO\r\n\r\n").startsWith("HTTP/1.1 400 "));
        assertTrue(answer("GET /ready HTTP/1.1\r\nX: " + "y".repeat(20_000)).startsWith("HTTP/1.1 431 "));
        assertTrue(answer("GET /fails HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 500 "));
        String head = answer("HEAD /ready HTTP/1.1\r\n\r\n");
        assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n") && head.endsWith("\r\nConnection: close\r\n\r\n"), head);
        assertTrue(answer(READY).endsWith("\n/ready\n"), "and it goes on");
    }

    @Test
    void aRequestMayComeByteByByte() throws Exception {
        start(Duration.ofHours(1));
        Socket socket = open("");
        for (byte each : READY.getBytes(StandardCharsets.ISO_8859_1)) {
            socket.getOutputStream().write(each);
        }
        assertTrue(rest(socket).endsWith("\n/ready\n"));
    }

    @Test
    void thePortIsFreeWhenItIsClosed() throws Exception {
        start(Duration.ofHours(1));
        Socket open = open("GET /ready HTTP/1.1\r\n");
        int port = listener.port();
        listener.close();
        closed(open);
        HealthListener next = HealthListener.start(
                "b", new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (request, answer) -> {});
        next.close();
    }
}
