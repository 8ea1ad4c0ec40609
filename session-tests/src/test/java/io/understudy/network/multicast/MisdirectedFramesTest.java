package io.understudy.network.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.seal.SealFilter;
import io.understudy.network.seal.SealFilters;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.threads.Failures;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.util.DefaultThreadFactory;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Frames that a member sealed for a connection, and that somebody sends as datagrams. */
@Tag("cluster")
class MisdirectedFramesTest {

    private static final class Nobody implements Multicast.Carrier {
        @Override
        public void arrived(Address sender, byte[] bytes, int offset, int length) {}

        @Override
        public void confirm(Address to, BeaconAckHeader heard) {}

        @Override
        public Collection<Address> members() {
            return List.of();
        }
    }

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final UnderstudyConfig config = LoopbackCluster.configs(1, Map.of(Setting.SECRET, "a secret of the tests"))
            .get(0);
    private final InetSocketAddress group = new InetSocketAddress(config.multicastAddress(), config.bindPort());

    @Test
    void framesOfConnectionsAreRefusedAsDatagrams() throws Exception {
        Multicast multicast = new Multicast(
                config.nodeName(),
                config.clusterName(),
                SealFilters.of(config, metrics),
                config.bindAddress(),
                group,
                new Failures(config.nodeName(), metrics));
        multicast.start(new Nobody(), UUID.randomUUID(), new DefaultThreadFactory("test", true));
        try {
            SealFilters member = SealFilters.of(config, new ReplicationMetrics());
            multicast(member.multicast());
            // Its sender is asked who it is.
            Await.that("a datagram is opened", () -> metrics.value(Counter.FRAMES_REFUSED_UNPROVEN) == 1);
            multicast(member.transport());
            Await.that("a frame is refused", () -> metrics.value(Counter.FRAMES_REFUSED_MISDIRECTED) == 1);
            assertEquals(1, metrics.value(Counter.FRAMES_REFUSED_UNPROVEN));
        } finally {
            multicast.stop();
        }
    }

    private void multicast(SealFilter filter) throws Exception {
        try (MulticastSocket socket = new MulticastSocket(new InetSocketAddress(config.bindAddress(), 0))) {
            socket.setNetworkInterface(NetworkInterface.getByInetAddress(config.bindAddress()));
            byte[] text = new byte[100];
            filter.send(
                    text,
                    0,
                    text.length,
                    null,
                    (bytes, offset, length) -> socket.send(new DatagramPacket(bytes, offset, length, group)));
        }
    }
}
