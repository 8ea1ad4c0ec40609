package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.threads.Failures;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The port of a member, while the system gives it no connections. A limit of time stands for that. */
@Tag("cluster")
@Timeout(300)
class PatientServerSocketTest {

    private final ReplicationMetrics metrics = new ReplicationMetrics();

    /** Attempts that may be made after the first one. */
    private final Semaphore attempts = new Semaphore(0);

    private ServerSocket failing() throws Exception {
        ServerSocket socket = new PatientServerSocket(new Failures("n1", metrics), attempts::acquireUninterruptibly);
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
            try (Socket client = new Socket(socket.getInetAddress(), socket.getLocalPort());
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
}
