package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.detection.FailureLog;
import io.understudy.network.stack.ProtocolStack;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.testkit.Await;
import io.understudy.testkit.KeyTool;
import io.understudy.testkit.LoopbackCluster;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jgroups.JChannel;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What waits for connections over TLS, and what does not. */
@Tag("cluster")
@Timeout(300)
class TlsConnectionsTest {

    private static final Duration LIMIT = Await.LIMIT;

    @TempDir
    private Path directory;

    private List<UnderstudyConfig> configs = List.of();
    private final ReplicationMetrics metrics = new ReplicationMetrics();

    @BeforeEach
    void makeCertificates() {
        KeyTool keys = new KeyTool(directory);
        configs = LoopbackCluster.configs(
                3,
                Map.of(
                        Setting.TRANSPORT,
                        "tcp",
                        Setting.TLS_KEY_STORE,
                        keys.node("a", "n").toString(),
                        Setting.TLS_KEY_STORE_PASSWORD,
                        KeyTool.PASSWORD,
                        Setting.TLS_TRUST_STORE,
                        keys.trust("a").toString(),
                        Setting.TLS_TRUST_STORE_PASSWORD,
                        KeyTool.PASSWORD));
    }

    private JChannel channel(int index) throws Exception {
        UnderstudyConfig config = configs.get(index);
        FailureLog detections = new FailureLog(config.nodeName(), metrics);
        return ProtocolStack.channel(config, metrics, detections, StackCustomizer.NONE)
                .connect("test");
    }

    private static QUEUED_TCP tcp(JChannel channel) {
        return (QUEUED_TCP) channel.getProtocolStack().getTransport();
    }

    /** In one thread it goes to one member after the other: a connection to the one that stands still is made beside. */
    @Test
    void whatIsSentToOneThatStandsStillHoldsUpNobody() throws Exception {
        try (ServerSocket frozen = new ServerSocket(configs.get(2).bindPort(), 100, InetAddress.getLoopbackAddress());
                JChannel channel = channel(0)) {
            assertNotNull(frozen.getInetAddress());
            byte[] packet = new byte[1000];
            IpAddress to = new IpAddress("127.0.0.1", configs.get(2).bindPort());
            int waited = 0;
            for (int i = 0; i < 100; i++) {
                long before = metrics.value(Counter.HANDSHAKES_REFUSED_LATE);
                tcp(channel).sendUnicast(to, packet, 0, packet.length);
                waited += metrics.value(Counter.HANDSHAKES_REFUSED_LATE) > before ? 1 : 0;
                // Each of them would wait until its handshake is given up. One that discovery began may end beside any.
                assertTrue(waited <= 10, waited + " handshakes were given up during " + (i + 1) + " sends");
            }
            Await.until(
                    LIMIT,
                    () -> metrics.value(Counter.HANDSHAKES_REFUSED_LATE),
                    () -> metrics.value(Counter.HANDSHAKES_REFUSED_LATE) > 0);
        }
    }

    /** A member whose packets are all lost: its connection is replaced, and other members' connections are looked at meanwhile. */
    @Test
    void stalledOnesAreReplacedBesideAndTheOthersStay() throws Exception {
        try (JChannel one = channel(0);
                JChannel other = channel(1)) {
            Await.until(LIMIT, one::getViewAsString, () -> one.getView().size() == 2);
            try (ServerSocket frozen =
                    new ServerSocket(configs.get(2).bindPort(), 100, InetAddress.getLoopbackAddress())) {
                frozen.setSoTimeout((int) LIMIT.toMillis());
                // It is asked by discovery, and again by merging, for as long as there are both.
                try (Socket first = frozen.accept();
                        Socket second = frozen.accept();
                        Socket third = frozen.accept()) {
                    assertTrue(first.isConnected() && second.isConnected() && third.isConnected());
                }
            }
            FD_ALL3 heartbeats = one.getProtocolStack().findProtocol(FD_ALL3.class);
            long before = heartbeats.getHeartbeatsReceived();
            Await.until(
                    LIMIT,
                    () -> heartbeats.getHeartbeatsReceived() + " heartbeats",
                    () -> heartbeats.getHeartbeatsReceived() >= before + 10);
            assertEquals(0, tcp(one).getReplacedConnections() + tcp(other).getReplacedConnections());
            assertEquals(2, one.getView().size());
        }
    }
}
