package io.understudy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.wire.WireTap;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Map;
import org.jgroups.protocols.TP;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that a member sealed, at a port that they were not sealed for. */
@Tag("cluster")
@Timeout(300)
class MisdirectedFramesTest {

    private static final Map<Setting, String> AUTO =
            Map.of(Setting.SECRET, "a secret of the tests", Setting.TRANSPORT, "auto");

    @Test
    void framesOfConnectionsAreRefusedAsDatagrams() throws Exception {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, AUTO);
        WireTap tap = new WireTap();
        StackCustomizer tapped = stack -> {
            ((TP) stack.get(0)).setSocketFactory(tap);
            return stack;
        };
        try (Understudy sender = NodeStart.start(configs.get(0), TimeSource.SHARED_PROCESS, tapped);
                Understudy target = NodeStart.start(configs.get(1), TimeSource.SHARED_PROCESS, StackCustomizer.NONE)) {
            Await.that("both are members", () -> NodeFigures.viewHas(target, 2) && NodeFigures.viewHas(sender, 2));
            List<byte[]> captured = tap.frames();
            assertTrue(captured.size() > 10, () -> captured.size() + " frames");
            long before = target.metrics().value(Counter.FRAMES_REFUSED_MISDIRECTED);
            sendToGroup(captured, configs.get(1));
            // The others are handshakes, which each protocol reads.
            Await.until(
                    Await.LIMIT,
                    () -> captured.size() + " frames, refused " + refused(target, before),
                    () -> refused(target, before) > captured.size() / 2);
        }
    }

    private static long refused(Understudy target, long before) {
        return target.metrics().value(Counter.FRAMES_REFUSED_MISDIRECTED) - before;
    }

    /** To the port beside that of discovery, at which members read datagrams of the transport. */
    private static void sendToGroup(List<byte[]> frames, UnderstudyConfig target) throws Exception {
        InetAddress group = target.multicastAddress();
        try (MulticastSocket intruder = new MulticastSocket(new InetSocketAddress(target.bindAddress(), 0))) {
            intruder.setNetworkInterface(NetworkInterface.getByInetAddress(target.bindAddress()));
            for (byte[] frame : frames) {
                intruder.send(new DatagramPacket(frame, frame.length, group, target.multicastPort() + 1));
            }
        }
    }
}
