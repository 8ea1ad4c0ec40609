package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.Stacks;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.JChannel;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.protocols.TP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.LazyThreadFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sender of a connection, a thread, runs in a circle from when that is closed until it is stopped. */
@Tag("cluster")
@Timeout(300)
class ClosedConnectionsTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final UnderstudyConfig config =
            LoopbackCluster.configs(1, Map.of(Setting.TRANSPORT, "tcp")).get(0);

    private JChannel channel() throws Exception {
        return Stacks.channel(config);
    }

    private static TcpServer server(JChannel channel) {
        return (TcpServer) channel.getProtocolStack().getTransport().getValue("srv");
    }

    private static IpAddress at(ServerSocket peer) {
        return new IpAddress(InetAddress.getLoopbackAddress(), peer.getLocalPort());
    }

    private static ServerSocket peer() throws Exception {
        return new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    private static List<String> sendersTo(IpAddress peer) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains("sender to") && name.contains(String.valueOf(peer.getPort())))
                .toList();
    }

    /** Virtual threads share a thread for each processor, and leave it when they want to. */
    @Test
    void holdUpNoOtherThread() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch ran = new CountDownLatch(1);
        try (JChannel channel = channel().connect("test")) {
            TP transport = channel.getProtocolStack().getTransport();
            for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
                Runnable circle = () -> {
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                };
                transport.getThreadFactory().newThread(circle, "sender").start();
            }
            transport.getThreadFactory().newThread(ran::countDown, "other").start();
            assertTrue(ran.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
        } finally {
            over.set(true);
        }
    }

    /** A connection that takes the place of a silent one, and is over before its sender has been started. */
    @Test
    void areStoppedIfTheConnectionEndsAsItBegins() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (ServerSocket peer = peer();
                JChannel channel = channel()) {
            channel.getProtocolStack().getTransport().setThreadFactory(new LazyThreadFactory("jgroups", false, true) {
                @Override
                public Thread newThread(Runnable task, String name) {
                    if (!over.get() || !name.startsWith("Connection.Receiver")) {
                        return super.newThread(task, name);
                    }
                    return new Thread(name) {
                        @Override
                        public synchronized void start() {
                            task.run(); // It is the faster one.
                        }
                    };
                }
            });
            channel.connect("test");
            assertNotNull(server(channel).getConnection(at(peer)));
            try (Socket silent = peer.accept()) {
                Await.until(
                        LIMIT,
                        () -> sendersTo(at(peer)),
                        () -> !sendersTo(at(peer)).isEmpty());
                over.set(true);
                peer.accept().close();
                assertNotNull(silent.getInetAddress());
                Await.until(
                        LIMIT,
                        () -> sendersTo(at(peer)),
                        () -> sendersTo(at(peer)).isEmpty());
            }
        }
    }
}
