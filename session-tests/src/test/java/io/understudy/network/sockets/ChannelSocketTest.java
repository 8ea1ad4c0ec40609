package io.understudy.network.sockets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A socket, connected to an ordinary one of the JDK. */
@Tag("cluster")
@Timeout(300)
class ChannelSocketTest {

    /** Above what the system keeps for a peer that does not read. */
    private static final int MUCH = 40_000_000;

    private final ServerSocket port = port();
    private final ChannelSocket socket = ChannelSocket.unconnected();
    private Socket peer = new Socket();

    ChannelSocketTest() throws IOException {}

    private static ServerSocket port() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @BeforeEach
    void connect() throws IOException {
        socket.connect(port.getLocalSocketAddress(), 5000);
        peer = port.accept();
        peer.setSoTimeout((int) Await.LIMIT.toMillis());
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        peer.close();
        port.close();
    }

    private CompletableFuture<IOException> reading() {
        return Beside.get(() ->
                assertThrows(IOException.class, () -> socket.getInputStream().readNBytes(Integer.MAX_VALUE)));
    }

    @Test
    void aWriteDoesNotWaitForThePeer() throws Exception {
        CompletableFuture<IOException> reading = reading();
        byte[] bytes = new byte[MUCH];
        new Random(1).nextBytes(bytes);
        socket.getOutputStream().write(bytes, 0, MUCH - 2);
        socket.getOutputStream().write(bytes, MUCH - 2, 1);
        socket.getOutputStream().write(bytes[MUCH - 1]);
        assertTrue(socket.keeps());
        assertArrayEquals(bytes, peer.getInputStream().readNBytes(MUCH), "all of it, in order");
        socket.getOutputStream().write(7);
        assertEquals(7, peer.getInputStream().read(), "and what is written after that");
        socket.close();
        assertTrue(reading.join() instanceof SocketException, "it is closed");
    }

    /** Each write is whole: between two bytes of one there are none of another. */
    @Test
    void severalThreadsWriteToAPeerThatReadsSlowly() throws Exception {
        CompletableFuture<IOException> reading = reading();
        int writers = 4;
        int each = 3000;
        CompletableFuture<Void> writing = CompletableFuture.allOf(IntStream.range(0, writers)
                .mapToObj(writer -> Beside.run(() -> assertDoesNotThrow(() -> write(writer, each))))
                .toArray(CompletableFuture[]::new));
        Await.that("the system has no more room", socket::keeps);
        int[] next = new int[writers];
        DataInputStream in = new DataInputStream(peer.getInputStream());
        for (int i = 0; i < writers * each; i++) {
            int length = in.readInt();
            int writer = in.readInt();
            assertEquals(next[writer]++, in.readInt(), "the next of this writer");
            for (byte one : in.readNBytes(length)) {
                assertEquals(writer, one);
            }
        }
        writing.join();
        socket.close();
        assertTrue(reading.join() instanceof SocketException, "it is closed");
    }

    private void write(int writer, int count) throws IOException {
        Random random = new Random(writer);
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(8000);
            ByteBuffer frame = ByteBuffer.allocate(3 * Integer.BYTES + length);
            frame.putInt(length).putInt(writer).putInt(i);
            while (frame.hasRemaining()) {
                frame.put((byte) writer);
            }
            socket.getOutputStream().write(frame.array());
        }
    }

    /** A request thread may be interrupted, by the application. */
    @Test
    void anInterruptedThreadWrites() throws Exception {
        Thread.currentThread().interrupt();
        socket.getOutputStream().write(7);
        assertTrue(Thread.interrupted(), "the interrupt is kept");
        assertEquals(7, peer.getInputStream().read());
        assertFalse(socket.isClosed());
    }

    @Test
    void anInterruptedThreadReads() throws Exception {
        peer.getOutputStream().write(7);
        Thread.currentThread().interrupt();
        assertEquals(7, socket.getInputStream().read());
        assertTrue(Thread.interrupted(), "the interrupt is kept");
    }

    @Test
    void aReadThatIsInterruptedGoesOn() throws Exception {
        Thread[] reader = new Thread[1];
        CompletableFuture<Boolean> reading = Beside.get(() -> {
            reader[0] = Thread.currentThread();
            return assertDoesNotThrow(() -> socket.getInputStream().read()) == 7 && Thread.interrupted();
        });
        Await.that("it waits", () -> reader[0] != null && waits(reader[0]));
        reader[0].interrupt();
        peer.getOutputStream().write(7);
        assertTrue(reading.join(), "it has the byte, and the interrupt");
    }

    private static boolean waits(Thread reader) {
        return Stream.of(reader.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("select"));
    }

    @Test
    void aReadEndsWithItsTime() throws Exception {
        socket.setSoTimeout(10);
        assertThrows(SocketTimeoutException.class, () -> socket.getInputStream().read());
        peer.getOutputStream().write(7);
        socket.setSoTimeout(0);
        assertEquals(7, socket.getInputStream().read(), "the next one has its byte");
    }

    @Test
    void theEndOfThePeerIsTheEndOfTheStream() throws Exception {
        peer.getOutputStream().write(7);
        peer.close();
        assertArrayEquals(new byte[] {7}, socket.getInputStream().readAllBytes());
    }

    @Test
    void thePeerReadsToTheEnd() throws Exception {
        socket.getOutputStream().write(7);
        socket.close();
        assertArrayEquals(new byte[] {7}, peer.getInputStream().readAllBytes());
        assertTrue(socket.isClosed());
        assertThrows(SocketException.class, socket::getInputStream);
        assertThrows(SocketException.class, socket::getOutputStream);
    }

    /** Both sides write at once, and read what comes: neither waits until the other one has nothing more to say. */
    @Test
    void whatIsKeptGoesWhileThePeerWritesWithoutAPause() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<IOException> reading = reading();
        CompletableFuture<Void> writing = Beside.run(() -> assertDoesNotThrow(() -> {
            byte[] part = new byte[1 << 20];
            while (!over.get()) {
                peer.getOutputStream().write(part);
            }
        }));
        byte[] bytes = new byte[MUCH];
        new Random(2).nextBytes(bytes);
        socket.getOutputStream().write(bytes);
        assertArrayEquals(bytes, peer.getInputStream().readNBytes(MUCH));
        over.set(true);
        writing.join();
        socket.close();
        assertTrue(reading.join() instanceof SocketException, "it is closed");
    }

    @Test
    void aPeerThatDiesEndsTheReadAndTheWritesAfterIt() throws Exception {
        socket.getOutputStream().write(new byte[MUCH]);
        assertTrue(socket.keeps());
        peer.setSoLinger(true, 0);
        peer.close();
        assertThrows(SocketException.class, () -> socket.getInputStream().read());
        assertThrows(SocketException.class, () -> socket.getOutputStream().write(1));
    }

    @Test
    void nothingIsKeptAfterTheEnd() throws Exception {
        OutputStream out = socket.getOutputStream();
        out.write(new byte[MUCH]);
        socket.close();
        assertThrows(SocketException.class, () -> out.write(1));
    }

    /** A key whose socket another thread closes when a write has seen that it is valid. */
    private static final class ClosedMeanwhile extends SelectionKey {

        private final SelectionKey key;

        ClosedMeanwhile(SelectionKey key) {
            this.key = key;
        }

        @Override
        public SelectableChannel channel() {
            return key.channel();
        }

        @Override
        public Selector selector() {
            return key.selector();
        }

        @Override
        public boolean isValid() {
            return key.isValid();
        }

        @Override
        public void cancel() {
            key.cancel();
        }

        @Override
        public int interestOps() {
            return key.interestOps();
        }

        @Override
        public SelectionKey interestOps(int ops) {
            boolean valid = isValid();
            try {
                selector().close();
                assertTrue(valid && selector().selectNow() >= 0, "a selector that is closed throws");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            return this;
        }

        @Override
        public int readyOps() {
            return key.readyOps();
        }
    }

    @Test
    void aWriteBesideACloseFailsAsOneAfterIt() throws Exception {
        try (Selector selector = Selector.open();
                SocketChannel channel = SocketChannel.open(port.getLocalSocketAddress());
                Socket unread = port.accept()) {
            channel.configureBlocking(false);
            SelectionKey key = new ClosedMeanwhile(channel.register(selector, SelectionKey.OP_READ));
            AtomicBoolean closed = new AtomicBoolean();
            ChannelOutput out = new ChannelOutput(channel, key, () -> closed.set(true));
            assertThrows(SocketException.class, () -> out.write(new byte[MUCH]));
            assertTrue(closed.get() && unread.isConnected());
        }
    }

    /** A part of what was to be written may be with the peer. */
    @Test
    void aWriteThatFailsClosesTheSocket() throws Exception {
        OutputStream out = socket.getOutputStream();
        assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[2], 1, 2));
        assertTrue(socket.isClosed());
        assertThrows(SocketException.class, () -> out.write(1));
        assertEquals(-1, peer.getInputStream().read());
    }

    @Test
    void aConnectionThatIsRefusedCanBeClosed() throws Exception {
        ChannelSocket refused = ChannelSocket.unconnected();
        assertThrows(ConnectException.class, () -> refused.connect(nobody(), 5000));
        assertThrows(SocketException.class, refused::getInputStream);
        refused.close();
        assertTrue(refused.isClosed());
    }

    private static SocketAddress nobody() throws IOException {
        try (ServerSocket closed = port()) {
            return closed.getLocalSocketAddress();
        }
    }

    @Test
    void nothingIsLeftOpenOfManyConnections() throws Exception {
        long before = openFiles();
        for (int i = 0; i < 200; i++) {
            try (ChannelSocket one = ChannelSocket.unconnected()) {
                one.connect(port.getLocalSocketAddress(), 5000);
                try (Socket other = port.accept()) {
                    one.getOutputStream().write(1);
                    assertEquals(1, other.getInputStream().read());
                }
            }
            int failing = i;
            assertThrows(
                    IllegalStateException.class,
                    () -> ChannelSocket.of(SocketChannel.open(), channel -> {
                        throw new IllegalStateException("made " + failing);
                    }));
        }
        assertTrue(openFiles() < before + 20, "open files: " + before + " before, " + openFiles() + " after");
    }

    private static long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            return 0; // Not on Linux.
        }
    }
}
