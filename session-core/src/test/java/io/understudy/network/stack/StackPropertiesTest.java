package io.understudy.network.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Transport;
import io.understudy.config.UnderstudyConfig;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.jgroups.Global;
import org.jgroups.JChannel;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UDP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** System properties of another product's JGroups in the same process. */
@Tag("cluster")
class StackPropertiesTest {

    private static final Map<String, String> ANOTHERS = Map.of(
            Global.BIND_ADDR, "127.0.0.2",
            Global.EXTERNAL_ADDR, "127.0.0.3",
            Global.UDP_MCAST_ADDR, "239.1.2.3",
            Global.UDP_MCAST_PORT, "7999",
            Global.TCPPING_INITIAL_HOSTS, "127.0.0.4[7998]");

    @BeforeEach
    void set() {
        ANOTHERS.forEach(System::setProperty);
    }

    @AfterEach
    void clear() {
        ANOTHERS.keySet().forEach(System::clearProperty);
    }

    private static JChannel channel(Transport transport) throws Exception {
        UnderstudyConfig config = UnderstudyConfig.builder()
                .transport(transport)
                .hosts("127.0.0.1:7801")
                .build();
        return StackProperties.channel("node1", ProtocolStack.of(config));
    }

    @Test
    void theyDoNotCountWithTcp() throws Exception {
        InetAddress ours = InetAddress.getLoopbackAddress();
        try (JChannel channel = channel(Transport.TCP)) {
            TP transport = channel.getProtocolStack().getTransport();
            assertEquals(ours, transport.getBindAddress());
            assertEquals(null, transport.getExternalAddr());
            FD_SOCK2 detection = channel.getProtocolStack().findProtocol(FD_SOCK2.class);
            assertEquals(ours, detection.getBindAddress());
            TCPPING discovery = channel.getProtocolStack().findProtocol(TCPPING.class);
            assertEquals(List.of(new IpAddress("127.0.0.1", 7801)), List.copyOf(discovery.getInitialHosts()));
        }
    }

    @Test
    void theyDoNotCountWithUdp() throws Exception {
        try (JChannel channel = channel(Transport.UDP)) {
            UDP transport = (UDP) channel.getProtocolStack().getTransport();
            assertEquals(InetAddress.getLoopbackAddress(), transport.getBindAddress());
            assertEquals(7820, transport.getMulticastPort());
            assertEquals(
                    InetAddress.getByName("239.255.78.0"),
                    Util.getField(Util.getField(UDP.class, "mcast_group_addr"), transport));
        }
    }
}
