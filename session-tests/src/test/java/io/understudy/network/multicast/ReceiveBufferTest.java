package io.understudy.network.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.ClusterChannels;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.seal.SealFilters;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.threads.Failures;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.protocols.UDP;
import org.jgroups.util.DefaultThreadFactory;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real sockets, of which this machine's kernel makes what it grants: no tests here change its settings. */
@Tag("cluster")
class ReceiveBufferTest {

    /** More than anybody grants, and less than everybody does. */
    private static final int MUCH = 1 << 30;

    private static final int LITTLE = 100_000;

    private static UnderstudyConfig config(String transport) {
        return LoopbackCluster.configs(
                        1,
                        Map.of(
                                Setting.TRANSPORT,
                                transport,
                                Setting.MULTICAST_PORT,
                                String.valueOf(LoopbackCluster.freePorts(1).get(0))))
                .get(0);
    }

    /** The sockets of {@code auto} are made here by hand, as loopback has no multicast for it. */
    @ParameterizedTest
    @CsvSource({"udp, " + MUCH, "udp, " + LITTLE, "auto, " + MUCH, "auto, " + LITTLE})
    void whatIsGrantedIsWarnedOfWhereItIsTooLittle(String transport, int bytes) {
        UnderstudyConfig config = config(transport);
        try (LogLines ours = new LogLines("io.understudy");
                LogLines jgroups = new LogLines("org.jgroups")) {
            if (transport.equals("udp")) {
                udp(config, bytes);
            } else {
                auto(config, bytes);
            }
            List<String> told = ours.with("net.core.rmem_max");
            assertEquals(bytes == MUCH ? 1 : 0, told.size(), told::toString);
            if (bytes == MUCH) {
                assertTrue(told.get(0).startsWith("WARNING node1 - "), told::toString);
                assertTrue(told.get(0).contains("sysctl -w net.core.rmem_max=" + MUCH + " "), told::toString);
            }
            assertEquals(List.of(), jgroups.with("buffer"));
        }
    }

    private static void udp(UnderstudyConfig config, int bytes) {
        ClusterChannels.connect(config, stack -> {
                    ((UDP) stack.get(0)).setMcastRecvBufSize(bytes).setUcastRecvBufSize(bytes);
                    return stack;
                })
                .close();
    }

    private static void auto(UnderstudyConfig config, int bytes) {
        Multicast multicast = new Multicast(
                        config.nodeName(),
                        config.clusterName(),
                        SealFilters.of(config, new ReplicationMetrics()),
                        config.bindAddress(),
                        new InetSocketAddress(config.multicastAddress(), config.multicastPort()),
                        new Failures(config.nodeName(), new ReplicationMetrics()))
                .receiveBuffer(bytes);
        multicast.start(new Nobody(), UUID.randomUUID(), new DefaultThreadFactory("test", true));
        multicast.stop();
    }

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
}
