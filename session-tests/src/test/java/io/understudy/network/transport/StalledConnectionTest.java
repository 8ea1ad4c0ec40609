package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.Stacks;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.wire.WireTap;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jgroups.JChannel;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections over which nothing comes, as those of which the network loses every packet. */
@Tag("cluster")
@Timeout(300)
class StalledConnectionTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** In which time a connection that is silent is replaced three times. */
    private static final int HEARTBEATS = 10;

    private final List<UnderstudyConfig> configs = LoopbackCluster.configs(2, Map.of(Setting.TRANSPORT, "tcp"));

    private JChannel channel(int index) throws Exception {
        return Stacks.channel(configs.get(index)).connect("test");
    }

    private static QUEUED_TCP tcp(JChannel channel) {
        return (QUEUED_TCP) channel.getProtocolStack().getTransport();
    }

    @Test
    void areReplaced() throws Exception {
        try (ServerSocket silent = new ServerSocket(configs.get(1).bindPort(), 0, InetAddress.getLoopbackAddress());
                JChannel channel = channel(0);
                Socket first = silent.accept()) {
            silent.setSoTimeout((int) LIMIT.toMillis());
            try (Socket second = silent.accept()) {
                awaitEnd(first);
                Await.until(LIMIT, () -> "", () -> tcp(channel).getReplacedConnections() > 0);
                assertNotNull(second.getInetAddress());
            }
            assertEquals(1, channel.getView().size());
        }
    }

    private static void awaitEnd(Socket socket) throws IOException {
        socket.setSoTimeout((int) LIMIT.toMillis());
        try {
            while (socket.getInputStream().read() >= 0) {
                assertNotNull(socket); // Whoever reads, and answers nothing.
            }
        } catch (SocketException e) {
            assertNotNull(e.getMessage(), "closed hard");
        }
    }

    @Test
    void ofMembersThatAreWellNoneIs() throws Exception {
        try (JChannel one = channel(0);
                JChannel other = channel(1)) {
            Await.until(LIMIT, one::getViewAsString, () -> one.getView().size() == 2);
            FD_ALL3 heartbeats = one.getProtocolStack().findProtocol(FD_ALL3.class);
            Await.until(
                    LIMIT,
                    () -> heartbeats.getHeartbeatsReceived() + " heartbeats",
                    () -> heartbeats.getHeartbeatsReceived() >= HEARTBEATS);
            assertEquals(0, tcp(one).getReplacedConnections() + tcp(other).getReplacedConnections());
        }
    }

    /** JGroups would accept one after the other, each when the one before is cut off. */
    @Test
    void silentClientsKeepNoMemberWaiting() throws Exception {
        try (JChannel channel = channel(0)) {
            Await.that("a member is accepted while silent clients are connected", () -> isAcceptedBeside(channel));
        }
    }

    /** By a host that does not know the secret, which could fill the heap. */
    @Test
    void addressesThatAreClaimedLeaveNothing() throws Exception {
        try (JChannel channel = channel(0)) {
            TcpServer server = (TcpServer) tcp(channel).getValue("srv");
            Map<?, ?> locks = (Map<?, ?>) Util.getField(Util.getField(TcpServer.class, "locks"), server);
            for (int i = 1; i < 1200; i += 100) {
                claim(server, i, i + 100);
            }
            Await.until(LIMIT, () -> locks.size() + " locks", () -> locks.size() <= 1024);
        }
    }

    private void claim(TcpServer server, int from, int to) throws Exception {
        List<Socket> strangers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            strangers.add(WireTap.connect(configs.get(0).bindPort(), "127.0.0.1", i));
        }
        for (int i = from; i < to; i++) {
            IpAddress claimed = new IpAddress("127.0.0.1", i);
            Await.that(claimed + " is accepted", () -> server.hasConnection(claimed));
        }
        for (Socket each : strangers) {
            each.close();
        }
    }

    private boolean isAcceptedBeside(JChannel channel) {
        int port = configs.get(0).bindPort();
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            try (Socket member = WireTap.connect(port, "127.0.0.1", 9)) {
                Await.that("it is accepted", () -> tcp(channel).getOpenConnections() > 0);
                boolean open = true;
                for (Socket each : silent) {
                    open &= isOpen(each);
                }
                member.shutdownOutput();
                Await.that("it is forgotten", () -> tcp(channel).getOpenConnections() == 0);
                return open;
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            for (Socket each : silent) {
                Util.close(each);
            }
        }
    }

    private static boolean isOpen(Socket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (SocketException e) {
            return false;
        }
    }
}
