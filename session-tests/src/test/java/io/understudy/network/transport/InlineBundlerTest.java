package io.understudy.network.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.detection.FailureLog;
import io.understudy.network.stack.ProtocolStack;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message leaves in the thread that sends it, and that thread waits for nobody. */
@Tag("cluster")
@Timeout(300)
class InlineBundlerTest {

    private final List<UnderstudyConfig> configs = LoopbackCluster.configs(3, Map.of(Setting.TRANSPORT, "tcp"));

    private JChannel channel(int index) throws Exception {
        UnderstudyConfig config = configs.get(index);
        ReplicationMetrics metrics = new ReplicationMetrics();
        return ProtocolStack.channel(config, metrics, new FailureLog(config.nodeName(), metrics), StackCustomizer.NONE);
    }

    private static QUEUED_TCP tcp(JChannel channel) {
        return (QUEUED_TCP) channel.getProtocolStack().getTransport();
    }

    /** The transport hands a packet to the connection before {@code send} returns. */
    @Test
    void messagesLeaveInTheThreadThatSends() throws Exception {
        try (JChannel one = channel(0).connect("test");
                JChannel other = channel(1)) {
            Queue<String> received = new ConcurrentLinkedQueue<>();
            other.setReceiver(new Receiver() {
                @Override
                public void receive(Message message) {
                    received.add(new String(message.getArray(), message.getOffset(), message.getLength(), UTF_8));
                }
            });
            other.connect("test");
            Await.until(Await.LIMIT, one::getViewAsString, () -> one.getView().size() == 2);
            tcp(one).getMessageStats().enable(true);
            long sent = tcp(one).getMessageStats().getNumSingleMsgsSent();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                expected.add("message " + i);
                one.send(new BytesMessage(other.getAddress(), expected.get(i).getBytes(UTF_8)));
                long now = tcp(one).getMessageStats().getNumSingleMsgsSent();
                assertTrue(now > sent, "packets before and after message " + i + ": " + sent + ", " + now);
                sent = now;
            }
            Await.until(Await.LIMIT, received::toString, () -> received.size() == expected.size());
            assertEquals(expected, List.copyOf(received));
        }
    }

    /** The system drops each request for a connection to a server whose backlog is full. */
    @Test
    void theThreadThatSendsDoesNotWaitForAConnection() throws Exception {
        int port = configs.get(2).bindPort();
        try (ServerSocket full = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                Clients clients = new Clients();
                JChannel channel = channel(0).connect("test")) {
            clients.fill(full);
            byte[] packet = new byte[1000];
            for (int i = 0; i < 10; i++) {
                assertDoesNotThrow(
                        () -> tcp(channel).sendUnicast(new IpAddress("127.0.0.1", port), packet, 0, packet.length));
            }
        }
    }

    private static final class Clients implements AutoCloseable {

        private final List<Socket> sockets = new ArrayList<>();

        void fill(ServerSocket server) throws IOException {
            while (connects(server)) {
                assertTrue(sockets.size() < 100, "connections that nobody accepted");
            }
        }

        private boolean connects(ServerSocket server) throws IOException {
            Socket socket = new Socket();
            sockets.add(socket);
            try {
                socket.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 500);
                return true;
            } catch (SocketTimeoutException e) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
