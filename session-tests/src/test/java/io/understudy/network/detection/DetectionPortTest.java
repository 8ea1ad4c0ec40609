package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.wire.WireTap;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The port of failure detection, and a host that knows no secret. */
@Tag("cluster")
@Timeout(300)
class DetectionPortTest {

    private final WatchedChannels channels = new WatchedChannels();
    private final List<Socket> strangers = new ArrayList<>();
    private NioServer server;

    @BeforeEach
    void open() throws Exception {
        channels.open(LoopbackCluster.configs(2), Set.of());
        channels.connect();
        channels.awaitView(2);
        channels.awaitTurnedTo(1, " CONNECTED");
        server = (NioServer) channels.first().getValue("srv");
    }

    @AfterEach
    void close() throws IOException {
        for (Socket stranger : strangers) {
            stranger.close();
        }
        channels.close();
    }

    /** Opens more connections than the port keeps, and says nothing. */
    private void flood(int more) throws IOException {
        IpAddress at = (IpAddress) server.localAddress();
        for (int i = 0; i < DetectionServer.MAX_CONNECTIONS + more; i++) {
            strangers.add(new Socket(at.getIpAddress(), at.getPort()));
        }
    }

    private void awaitOldestEnd(int more) throws IOException {
        for (Socket oldest : strangers.subList(0, more)) {
            oldest.setSoTimeout((int) Await.LIMIT.toMillis());
            WireTap.awaitEnd(oldest);
        }
    }

    @Test
    void connectionsThatSayNothingAreClosedBeforeThereAreTooMany() throws Exception {
        int more = 40;
        flood(more);
        awaitOldestEnd(more);
        Socket latest = strangers.get(strangers.size() - 1);
        latest.setSoTimeout(1);
        assertThrows(SocketTimeoutException.class, () -> latest.getInputStream().read(), "it was closed, too");
    }

    @Test
    void aMembersEndIsNoticedAmongManyStrangers() throws Exception {
        flood(2 * DetectionServer.MAX_CONNECTIONS);
        awaitOldestEnd(2 * DetectionServer.MAX_CONNECTIONS);
        assertEquals(0, channels.suspicions());
        channels.breakOff(1);
        Await.that("its end is noticed", () -> channels.suspicions() == 1);
    }

    @Test
    void addressesThatAreClaimedLeaveNothing() throws Exception {
        IpAddress at = (IpAddress) server.localAddress();
        for (int i = 1; i <= 3 * DetectionServer.MAX_CONNECTIONS; i++) {
            WireTap.connect(at.getPort(), "127.0.0.1", i).close();
        }
        Map<?, ?> locks = (Map<?, ?>) Util.getField(Util.getField(server.getClass(), "locks"), server);
        Await.until(Await.LIMIT, () -> locks.size() + " locks", () -> {
            try {
                WireTap.connect(at.getPort(), "127.0.0.1", 1).close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return locks.size() <= DetectionServer.MAX_CONNECTIONS + 1;
        });
    }
}
