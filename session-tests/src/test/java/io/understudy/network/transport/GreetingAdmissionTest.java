package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.sockets.AdmittingServerSocket;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.OwnPorts;
import io.understudy.testkit.wire.WireTap;
import io.understudy.threads.Failures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jgroups.Version;
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
            try (Socket client = greeting(socket);
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

    private static Socket greeting(ServerSocket to) throws Exception {
        return WireTap.connect(new Socket(to.getInetAddress(), to.getLocalPort()), "127.0.0.1", 7);
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
            try (Socket member = greeting(socket);
                    Socket accepted = accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                assertEquals(member.getLocalPort(), accepted.getPort());
                member.getOutputStream().write(9);
                byte[] read = accepted.getInputStream().readNBytes(16);
                assertArrayEquals(new byte[] {'b', 'e', 'l', 'a'}, Arrays.copyOf(read, 4));
                assertArrayEquals(
                        new byte[] {0, 7, 4, 127, 0, 0, 1, 0, 7, 9},
                        Arrays.copyOfRange(read, 6, 16),
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
        for (byte[] first : List.of(new byte[0], new byte[] {'b'}, head(32513))) {
            try (Socket client = connect(socket, first)) {
                assertEquals(-1, client.getInputStream().read());
            }
        }
        socket.close();
        accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** A greeting up to where the address begins. */
    private static byte[] head(int length, int... address) {
        ByteBuffer bytes = ByteBuffer.allocate(8 + address.length);
        bytes.put(new byte[] {'b', 'e', 'l', 'a'}).putShort(Version.version).putShort((short) length);
        for (int each : address) {
            bytes.put((byte) each);
        }
        return bytes.array();
    }

    /** JGroups would wait for the rest of the address in the thread that accepts, a second for each byte. */
    @Test
    void anAddressOfAnotherLengthIsRefused() throws Exception {
        ServerSocket socket = listening(Duration.ofHours(1).toMillis());
        CompletableFuture<SocketException> accepting =
                Beside.get(() -> assertThrows(SocketException.class, socket::accept));
        for (byte[] first : List.of(
                head(0, 16), head(1, 16), head(7, 16), head(0, 4), head(23, 4), head(64, 4), head(3, 0), head(1, -1))) {
            try (Socket client = connect(socket, first)) {
                WireTap.awaitEnd(client);
            }
        }
        socket.close();
        accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void anAddressOfIpv6IsWhole() throws Exception {
        try (ServerSocket socket = listening(Duration.ofHours(1).toMillis())) {
            CompletableFuture<Socket> accepting = Beside.get(() -> assertDoesNotThrow(socket::accept));
            try (Socket member = WireTap.connect(new Socket(socket.getInetAddress(), socket.getLocalPort()), "::1", 7);
                    Socket accepted = accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                assertEquals(member.getLocalPort(), accepted.getPort());
                assertEquals(31, accepted.getInputStream().readNBytes(31).length);
            }
        }
    }

    /** Else clients could use up the file descriptors while JGroups has not taken them. */
    @Test
    void onlySoManyWaitUntilTheyAreAccepted() throws Exception {
        Semaphore ended = new Semaphore(0);
        List<Socket> clients = new ArrayList<>();
        try (ServerSocket socket = listening(ended)) {
            CompletableFuture<Socket> first = Beside.get(() -> assertDoesNotThrow(socket::accept));
            clients.add(admitted(socket, ended));
            first.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).close();
            for (int i = 0; i < AdmittingServerSocket.MAX_PENDING; i++) {
                clients.add(admitted(socket, ended));
            }
            for (int i = 0; i < 10; i++) {
                try (Socket more = admitted(socket, ended)) {
                    WireTap.awaitEnd(more);
                }
            }
            for (int i = 1; i < clients.size(); i++) {
                try (Socket accepted = socket.accept()) {
                    assertEquals(clients.get(i).getLocalPort(), accepted.getPort());
                }
            }
            try (Socket member = admitted(socket, ended);
                    Socket accepted = socket.accept()) {
                assertEquals(member.getLocalPort(), accepted.getPort(), "there is room again");
            }
        } finally {
            for (Socket each : clients) {
                each.close();
            }
        }
    }

    /** @param ended gets a permit for each connection that is admitted, or is not */
    private static ServerSocket listening(Semaphore ended) throws IOException {
        ServerSocket socket = new AdmittingServerSocket<>(
                new GreetingAdmission(Duration.ofHours(1).toMillis()),
                task -> {
                    Thread made = new Thread(
                            () -> {
                                task.run();
                                ended.release();
                            },
                            "greeting");
                    made.setDaemon(true);
                    return made;
                },
                why -> fail(why));
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    /** A client with which the port has nothing more to do but to give it to the one that accepts. */
    private static Socket admitted(ServerSocket to, Semaphore ended) throws Exception {
        Socket client = greeting(to);
        ended.acquire();
        return client;
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
