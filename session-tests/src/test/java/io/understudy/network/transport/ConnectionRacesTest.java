package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.ReplicationMetrics;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.wire.WireTap;
import io.understudy.threads.Failures;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jgroups.blocks.cs.TcpConnection;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.logging.Log;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.DefaultThreadFactory;
import org.jgroups.util.SocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that are made while the peer makes one, and while the node stops. */
@Tag("cluster")
@Timeout(300)
class ConnectionRacesTest {

    private final InetAddress here = InetAddress.getLoopbackAddress();
    private final BlockingQueue<Thread> made = new LinkedBlockingQueue<>();
    private final DefaultThreadFactory threads = new DefaultThreadFactory("races", true) {
        @Override
        public Thread newThread(Runnable task, String name) {
            Thread thread = super.newThread(task, name);
            made.add(thread);
            return thread;
        }
    };
    private TcpServer server;

    @AfterEach
    void stop() {
        server.stop();
    }

    private void start(SocketFactory sockets) throws Exception {
        int port = LoopbackCluster.freePorts(1).get(0);
        server = new TcpServer(new DefaultThreadFactory("server", true), sockets, here, port, port, null, 0, 0);
        server.usePeerConnections(true);
        server.start();
    }

    /** One that waits until it may, and does not succeed. */
    private static final class Failing extends Socket {

        private final CountDownLatch begun;
        private final CountDownLatch may;

        Failing(CountDownLatch begun, CountDownLatch may) {
            this.begun = begun;
            this.may = may;
        }

        @Override
        public void connect(SocketAddress endpoint, int timeout) throws IOException {
            begun.countDown();
            try {
                may.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new ConnectException("refused");
        }
    }

    @Test
    void anAttemptThatFailsLeavesThePeersConnection() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        start(new DefaultSocketFactory() {
            @Override
            public Socket createSocket(String service) {
                return new Failing(begun, may);
            }
        });
        IpAddress peer = new IpAddress(here, 9);
        Log log = server.log();
        server.log((Log) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Log.class}, (proxy, method, told) -> {
                    if (told != null && told[0] instanceof String text && text.contains("out of reach")) {
                        Await.that("the peer's is there", () -> server.connectionEstablishedTo(peer));
                    }
                    return method.invoke(log, told);
                }));
        new PendingConnections(threads).send(server, peer, new byte[10], 0, 10);
        begun.await();
        int port = ((IpAddress) server.localAddress()).getPort();
        try (Socket opened = WireTap.connect(port, "127.0.0.1", 9)) {
            may.countDown();
            made.take().join();
            assertTrue(server.connectionEstablishedTo(peer), "the connection of " + opened);
        }
    }

    @Test
    void aStopLeavesNoConnectionThatWasMadeBesideIt() throws Exception {
        start(new DefaultSocketFactory());
        try (ServerSocket port = new ServerSocket(0, 2, here)) {
            IpAddress peer = new IpAddress(here, port.getLocalPort());
            TcpConnection old = new TcpConnection(peer, server) {
                @Override
                public void close(boolean graceful) throws IOException {
                    server.stop();
                    super.close(graceful);
                }
            };
            old.connect(peer);
            server.replaceConnection(peer, old);
            ConnectionWatch watch = new ConnectionWatch(
                    server,
                    threads,
                    new HeardPeers(),
                    false,
                    false,
                    any -> true,
                    new LongAdder(),
                    (any, why) -> {},
                    new Failures("n1", new ReplicationMetrics()));
            watch.start();
            try (Socket first = port.accept();
                    Socket fresh = port.accept()) {
                fresh.setSoTimeout((int) Await.LIMIT.toMillis());
                WireTap.awaitEnd(fresh);
                Await.that("it is forgotten", () -> !server.hasConnection(peer));
                assertFalse(first.isClosed());
            } finally {
                watch.stop();
            }
        }
    }
}
