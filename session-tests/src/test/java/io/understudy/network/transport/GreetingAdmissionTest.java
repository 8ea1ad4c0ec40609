package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.sockets.AdmittingServerSocket;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.OwnPorts;
import io.understudy.threads.Failures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The port of a member, beside silent clients, and while the system gives it no connections. A limit of time stands for
 * that.
 */
@Tag("cluster")
@Timeout(300)
class GreetingAdmissionTest {

    private final ReplicationMetrics metrics = new ReplicationMetrics();

    /** Attempts that may be made after the first one. */
    private final Semaphore attempts = new Semaphore(0);

    private ServerSocket failing() throws Exception {
        ServerSocket socket = new GreetingAdmission(Duration.ofHours(1).toMillis())
                .port(new Failures("n1", metrics), attempts::acquireUninterruptibly);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.setSoTimeout(1);
        return socket;
    }

    private void awaitRest(int failures) {
        Await.until(
                Await.LIMIT,
                metrics::toString,
                () -> metrics.value(Counter.FAILURES_SURVIVED) == failures && attempts.hasQueuedThreads());
    }

    @Test
    void acceptTriesAgainAfterARest() throws Exception {
        try (ServerSocket socket = failing()) {
            CompletableFuture<Socket> accepting = Beside.get(() -> assertDoesNotThrow(socket::accept));
            awaitRest(1);
            attempts.release();
            awaitRest(2);
            socket.setSoTimeout(0);
            attempts.release();
            try (Socket client = greeting(new Socket(socket.getInetAddress(), socket.getLocalPort()));
                    Socket accepted = accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                assertEquals(client.getLocalPort(), accepted.getPort());
            }
        }
    }

    @Test
    void acceptEndsWhenThePortIsClosed() throws Exception {
        ServerSocket socket = failing();
        CompletableFuture<SocketException> accepting =
                Beside.get(() -> assertThrows(SocketException.class, socket::accept));
        awaitRest(1);
        socket.close();
        attempts.release();
        accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Of a member that claims to have no address. */
    private static Socket greeting(Socket client) throws IOException {
        client.getOutputStream().write(new byte[] {'b', 'e', 'l', 'a', 5, 5, 0, 1, 7});
        return client;
    }

    private ServerSocket listening(long greetingMillis) throws IOException {
        ServerSocket socket = new GreetingAdmission(greetingMillis).port(new Failures("n1", metrics), () -> {});
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    private static Socket connect(ServerSocket to, byte... first) throws IOException {
        Socket client = new Socket(to.getInetAddress(), to.getLocalPort());
        client.setSoTimeout((int) Await.LIMIT.toMillis());
        client.getOutputStream().write(first);
        return client;
    }

    @Test
    void aMemberDoesNotWaitForSilentClients() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (ServerSocket socket = listening(Duration.ofHours(1).toMillis())) {
            CompletableFuture<Socket> accepting = Beside.get(() -> assertDoesNotThrow(socket::accept));
            for (int i = 0; i < 2 * AdmittingServerSocket.MAX_PENDING; i++) {
                silent.add(i % 2 == 0 ? connect(socket) : connect(socket, (byte) 'b', (byte) 'e'));
            }
            try (Socket member = greeting(connect(socket));
                    Socket accepted = accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                assertEquals(member.getLocalPort(), accepted.getPort());
                member.getOutputStream().write(9);
                assertArrayEquals(
                        new byte[] {'b', 'e', 'l', 'a', 5, 5, 0, 1, 7, 9},
                        accepted.getInputStream().readNBytes(10),
                        "nothing is lost of what was read ahead");
            }
        } finally {
            for (Socket each : silent) {
                each.close();
            }
        }
    }

    @Test
    void clientsWithoutGreetingAreClosed() throws Exception {
        ServerSocket socket = listening(100);
        CompletableFuture<SocketException> accepting =
                Beside.get(() -> assertThrows(SocketException.class, socket::accept));
        for (byte[] first : List.of(new byte[0], new byte[] {'b'}, new byte[] {'b', 'e', 'l', 'a', 5, 5, 127, 1})) {
            try (Socket client = connect(socket, first)) {
                assertEquals(-1, client.getInputStream().read());
            }
        }
        socket.close();
        accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** As by a node with TLS: JGroups refuses it, and logs that. */
    @Test
    void bytesOfAnotherProtocolAreHandedOn() throws Exception {
        try (ServerSocket socket = listening(Duration.ofHours(1).toMillis())) {
            CompletableFuture<Socket> accepting = Beside.get(() -> assertDoesNotThrow(socket::accept));
            try (Socket client = connect(socket, (byte) 22, (byte) 3, (byte) 1, (byte) 2);
                    Socket accepted = accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                assertEquals(client.getLocalPort(), accepted.getPort());
                assertEquals(22, accepted.getInputStream().read());
            }
        }
    }

    /** A node that is started again in the same JVM did not get its port, once in a hundred times. */
    @Test
    void aClosedPortIsFree() throws Exception {
        int port = OwnPorts.take(1).get(0);
        for (int i = 0; i < 1000; i++) {
            ServerSocket socket = new GreetingAdmission(1000).port(new Failures("n1", metrics), () -> {});
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            CompletableFuture<SocketException> accepting =
                    Beside.get(() -> assertThrows(SocketException.class, socket::accept));
            try (Socket client = connect(socket)) { // So a thread accepts by now, or is about to.
                assertTrue(client.isConnected());
            }
            socket.close();
            accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
