package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.Stacks;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jgroups.JChannel;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.logging.JDKLogImpl;
import org.jgroups.logging.Log;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("cluster")
@Timeout(300)
class FarewellLogTest {

    private static final String LOGGER = FarewellLogTest.class.getName();

    /** Held, as its level would be forgotten with it. */
    private static final Logger LOG = Logger.getLogger(LOGGER);

    @Test
    void theOthersPassWhatElseIsSaid() {
        Log log = FarewellLog.of(new JDKLogImpl(LOGGER));
        assertTrue(log.isErrorEnabled());
        assertFalse(log.isTraceEnabled());
        try (LogLines lines = new LogLines(LOGGER)) {
            log.error("%s: failed accepting %s", "here", "there");
            log.error("failed", new IllegalStateException("why"));
            log.warn("%s: late", "here");
            assertEquals(List.of("SEVERE here: failed accepting there", "SEVERE failed"), lines.with("SEVERE"));
            assertEquals(List.of("WARNING here: late"), lines.with("WARNING"));
        }
    }

    /** As after a kill: the connection is broken, and a farewell can't be sent over it. */
    @Test
    void whoWasGoneFirstGetsNoFarewell() throws Exception {
        UnderstudyConfig config =
                LoopbackCluster.configs(1, Map.of(Setting.TRANSPORT, "tcp")).get(0);
        LOG.setLevel(Level.FINE);
        try (ServerSocket peer = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                LogLines lines = new LogLines(LOGGER);
                JChannel channel = Stacks.channel(config).connect("test")) {
            TcpServer server =
                    (TcpServer) channel.getProtocolStack().getTransport().getValue("srv");
            Log before = server.log();
            server.log(new JDKLogImpl(LOGGER));
            farewell(server, peer);
            awaitLine(lines, "SEVERE"); // JGroups logs it still.
            server.log(FarewellLog.of(server.log()));
            farewell(server, peer);
            awaitLine(lines, "FINE");
            assertEquals(1, lines.with("SEVERE").size());
            assertEquals(FarewellLog.of(before).getClass(), before.getClass());
        }
    }

    /** The connection is closed before: by the write that fails. */
    private static void awaitLine(LogLines lines, String level) {
        Await.that(
                "the failure is logged at " + level,
                () -> lines.with(level, "failed sending graceful close").size() == 1);
    }

    private static void farewell(TcpServer server, ServerSocket peer) throws Exception {
        Connection connection =
                server.getConnection(new IpAddress(InetAddress.getLoopbackAddress(), peer.getLocalPort()));
        Socket killed = peer.accept();
        killed.setSoLinger(true, 0); // Reset, as connections with unread bytes are when their process is killed.
        killed.close();
        Await.until(
                Await.LIMIT, server::getNumConnections, () -> server.getNumConnections() == 0 && connection.isClosed());
    }
}
