package io.understudy.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.network.sockets.AdmittingServerSocket;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.KeyTool;
import io.understudy.testkit.wire.WireTap;
import io.understudy.tls.HandshakeFailure.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sockets with certificates on both sides, and peers that don't keep to the rules. */
@Tag("cluster")
@Timeout(300)
class TlsSocketTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** As nodes are. */
    private static final long IMPATIENT_MILLIS = TlsSocket.HANDSHAKE_MILLIS;

    @TempDir
    private static Path directory;

    private static KeyTool keys;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Queue<HandshakeFailure> failures = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private final AtomicInteger notAccepted = new AtomicInteger();

    private final TlsEvents events = new TlsEvents() {
        @Override
        public void failed(HandshakeFailure failure) {
            failures.add(failure);
        }

        @Override
        public void distrusted(String peer, String subject) {}

        @Override
        public void exchanged(String subject, Instant ends) {}

        @Override
        public void unfit(InvalidKeyStoreException why) {}

        @Override
        public void ending(String subject, Instant ends) {}
    };

    @BeforeAll
    static void makeCertificates() {
        keys = new KeyTool(directory);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closing(T made) {
        opened.add(made);
        return made;
    }

    private static StoreFile file(String setting, Path path) {
        return new StoreFile(setting, path.toString(), KeyTool.PASSWORD);
    }

    /** Certificates of a node that gives a handshake as much time as a busy machine needs. */
    private Certificates certificates(Path key, Path trust) throws InvalidKeyStoreException {
        return certificates(key, trust, LIMIT.toMillis());
    }

    private Certificates certificates(Path key, Path trust, long handshakeMillis) throws InvalidKeyStoreException {
        return closing(Certificates.load(
                file("tlsKeyStore", key),
                file("tlsTrustStore", trust),
                events,
                task -> {
                    Thread thread = new Thread(task, "tls");
                    thread.setDaemon(true);
                    return thread;
                },
                handshakeMillis));
    }

    private Certificates ours() throws InvalidKeyStoreException {
        return certificates(keys.node("a", "n1"), keys.trust("a"));
    }

    private Certificates impatient() throws InvalidKeyStoreException {
        return certificates(keys.node("a", "n1"), keys.trust("a"), IMPATIENT_MILLIS);
    }

    /** Listens, and puts what it accepts into {@link #accepted}. */
    private ServerSocket listen(Certificates certificates) throws IOException {
        ServerSocket server = closing(certificates.serverSocket(why -> notAccepted.incrementAndGet()));
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        var unused = Beside.run(() -> {
            try {
                while (true) {
                    accepted.add(server.accept());
                }
            } catch (IOException e) {
                assertTrue(server.isClosed(), e::toString);
            }
        });
        return server;
    }

    private Socket connect(Certificates certificates, ServerSocket server) throws IOException {
        Socket socket = closing(certificates.socket());
        socket.setTcpNoDelay(true);
        socket.connect(server.getLocalSocketAddress(), 300);
        return socket;
    }

    private Socket awaitAccepted() throws InterruptedException {
        return closing(accepted.poll(LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    private void awaitFailure(Kind kind, String... words) {
        Await.until(
                LIMIT,
                () -> failures.stream().map(each -> each.kind() + " " + each).toList(),
                () -> failures.stream()
                        .anyMatch(each -> each.kind() == kind
                                && List.of(words).stream()
                                        .allMatch(word -> (each.subject() + each.reason()).contains(word))));
    }

    @Test
    void bytesCrossBothWays() throws Exception {
        ServerSocket server = listen(certificates(keys.node("a", "n2"), keys.trust("a")));
        Certificates ours = ours();
        Socket near = connect(ours, server);
        Socket far = awaitAccepted();
        byte[] much = new byte[300_000];
        much[much.length - 1] = 7;
        var read = Beside.get(() -> {
            try {
                return far.getInputStream().readNBytes(much.length);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        near.getOutputStream().write(much);
        near.getOutputStream().flush();
        assertEquals(7, read.get(LIMIT.toSeconds(), TimeUnit.SECONDS)[much.length - 1]);
        far.getOutputStream().write(9);
        assertEquals(9, near.getInputStream().read());
        connect(ours, server);
        assertEquals(
                "CN=n1,O=a", ((TlsSocket) awaitAccepted()).subject(), "no session of another connection is resumed");
        assertEquals(List.of(), List.copyOf(failures));
    }

    /** As JGroups does after an error. The peer would wait for it, and the file descriptor would stay taken. */
    @Test
    void aSocketThatIsForgottenIsClosed() throws Exception {
        ServerSocket server = listen(certificates(keys.node("a", "n2"), keys.trust("a")));
        Certificates ours = ours();
        forget(ours, server);
        Socket far = awaitAccepted();
        far.setSoTimeout((int) LIMIT.toMillis());
        CompletableFuture<Void> ended = Beside.run(() -> assertDoesNotThrow(() -> WireTap.awaitEnd(far)));
        Await.that("it is closed", () -> {
            System.gc();
            return ended.isDone();
        });
        ended.join();
        assertFalse(ours.left().isNegative(), "the certificates are in use still");
    }

    private static void forget(Certificates certificates, ServerSocket server) throws IOException {
        Socket forgotten = certificates.socket();
        forgotten.connect(server.getLocalSocketAddress(), 300);
        assertNotNull(forgotten.getOutputStream());
    }

    /** With TLS 1.3 the one that connects would hear of it only when it reads. */
    @Test
    void whoIsRefusedHearsItInConnect() throws Exception {
        ServerSocket server = listen(ours());
        Certificates others = certificates(keys.node("b", "stranger"), keys.trust("b"));
        Certificates asymmetric = new Asymmetric().load();
        for (int i = 0; i < 30; i++) {
            for (Certificates stranger : List.of(others, asymmetric)) {
                HandshakeFailure refused = assertThrows(HandshakeFailure.class, () -> connect(stranger, server));
                assertEquals(stranger == others ? Kind.CERTIFICATE : Kind.THERE, refused.kind(), refused::toString);
            }
        }
        awaitFailure(Kind.THERE, "certificate_unknown");
        awaitFailure(Kind.CERTIFICATE, "CN=stranger,O=b", "unable to find valid certification path");
        assertTrue(accepted.isEmpty());
    }

    /** Trusts the others, and is not trusted by them. */
    private final class Asymmetric {
        Certificates load() throws InvalidKeyStoreException {
            return certificates(keys.node("b", "stranger"), keys.trust("a", "b"));
        }
    }

    /** One that says nothing, or a byte now and then, for longer than the test takes, is nobody's business. */
    @Test
    void thoseWhoSayNothingOrDripKeepNobodyOut() throws Exception {
        ServerSocket server = listen(ours()); // It waits for them for as long as the test does.
        List<Socket> unused = silent(server, 3 * AdmittingServerSocket.MAX_PENDING);
        connect(ours(), server);
        awaitAccepted();
    }

    /** Whatever they say meanwhile. */
    @Test
    void thoseWhoSayNothingOrDripAreCutOffWhenTheirTimeIsOver() throws Exception {
        for (Socket socket : silent(listen(impatient()), AdmittingServerSocket.MAX_PENDING)) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            assertTrue(ends(socket));
        }
        awaitFailure(Kind.LATE);
    }

    private List<Socket> silent(ServerSocket server, int count) throws IOException {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Socket socket = closing(new Socket());
            socket.connect(server.getLocalSocketAddress(), 5000);
            silent.add(socket);
            if (i % 2 == 0) {
                socket.getOutputStream().write(22);
            }
        }
        return silent;
    }

    private static boolean ends(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void onePeerThatDripsIsCutOffWhenItsTimeIsOver() throws Exception {
        ServerSocket server = listen(impatient());
        Socket dripping = closing(new Socket());
        dripping.connect(server.getLocalSocketAddress(), 5000);
        var ended = Beside.get(() -> ends(dripping));
        byte[] record = {22, 3, 3, 0x10, 0};
        int said = 0;
        while (!ended.isDone() && said < 100) {
            try {
                dripping.getOutputStream().write(said < record.length ? record[said] : 1);
                said++;
            } catch (SocketException e) {
                break;
            }
            Thread.sleep(100);
        }
        assertTrue(said < 100, "it was not cut off while it said something");
        awaitFailure(Kind.LATE);
    }

    /** As a member that is frozen: the kernel goes on accepting for it. */
    @Test
    void whoConnectsToOneThatSaysNothingWaitsUntilItsTimeIsOver() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            HandshakeFailure late = assertThrows(HandshakeFailure.class, () -> connect(impatient(), silent));
            assertEquals(Kind.LATE, late.kind(), late::toString);
        }
    }

    @Test
    void aHandshakeThatIsUnderWayEndsAlsoWhenItsNodeDoes() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Certificates ours = impatient();
            var connecting = Beside.get(() -> assertThrows(HandshakeFailure.class, () -> connect(ours, silent)));
            try (Socket near = silent.accept()) {
                assertEquals(22, near.getInputStream().read());
                ours.close();
                assertEquals(
                        Kind.LATE,
                        connecting.get(LIMIT.toSeconds(), TimeUnit.SECONDS).kind());
            }
            assertThrows(HandshakeFailure.class, () -> connect(ours, silent));
        }
    }

    @Test
    void whoTalksNoTlsIsToldApart() throws Exception {
        ServerSocket server = listen(ours());
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
            plain.getOutputStream().write("bela and what JGroups says".getBytes(StandardCharsets.US_ASCII));
            // What a node without TLS gets is told in its log: two bytes by which it knows.
            InputStream answer = plain.getInputStream();
            assertEquals(0x15, answer.read());
            assertEquals(0x03, answer.read());
        }
        awaitFailure(Kind.UNENCRYPTED);
        assertTrue(accepted.isEmpty());
    }

    /** A graceful end is a write, too. */
    @Test
    void neitherAWriteNorTheEndWaitsForThePeer() throws Exception {
        Socket near = connect(ours(), listen(ours()));
        Socket far = awaitAccepted();
        var reading = Beside.run(() -> {
            // This thread writes what was kept.
            SocketException end = assertThrows(
                    SocketException.class, () -> near.getInputStream().read());
            assertTrue(near.isClosed(), end::toString);
        });
        byte[] much = new byte[16 << 20]; // Above what the buffers of two sockets take.
        new Random(1).nextBytes(much);
        near.getOutputStream().write(much);
        assertArrayEquals(much, far.getInputStream().readNBytes(much.length), "all of it, in order");
        near.getOutputStream().write(much);
        near.close();
        near.getOutputStream().close();
        reading.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertFalse(far.isClosed());
    }

    @Test
    void acceptEndsWithItsSocket() throws Exception {
        ServerSocket server = ours().serverSocket(why -> notAccepted.incrementAndGet());
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var accepting = Beside.get(() -> assertThrows(SocketException.class, server::accept));
        Await.until(LIMIT, () -> "", () -> {
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                return probe.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
        server.close();
        assertEquals(
                "Socket closed",
                accepting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).getMessage());
        assertThrows(SocketException.class, server::accept);
    }

    /** As when the process is out of file descriptors, for which a limit of time stands. */
    @Test
    void acceptGoesOnAfterConnectionsItCouldNotGet() throws Exception {
        Certificates certificates = ours();
        ServerSocket server = closing(certificates.serverSocket(why -> notAccepted.incrementAndGet()));
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.setSoTimeout(1);
        var accepting = Beside.get(() -> assertDoesNotThrow(server::accept));
        Await.until(LIMIT, notAccepted::toString, () -> notAccepted.get() > 1);
        server.setSoTimeout(0);
        Socket client = closing(certificates.socket());
        client.connect(server.getLocalSocketAddress());
        client.getOutputStream().write(1);
        assertEquals(
                1,
                closing(accepting.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .getInputStream()
                        .read());
    }
}
