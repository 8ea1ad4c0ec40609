package io.understudy.network.detection;

import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.Stacks;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.util.List;
import org.jgroups.EmptyMessage;
import org.jgroups.JChannel;
import org.jgroups.protocols.FD_ALL3;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Heartbeats of a member that sends much: its messages to all members may go as datagrams, which prove no connection. */
@Tag("cluster")
class HeartbeatsTest {

    @Test
    void messagesToAllMembersStandForNoHeartbeat() throws Exception {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2); // A member alone sends none.
        try (JChannel channel = Stacks.channel(configs.get(0));
                JChannel other = Stacks.channel(configs.get(1))) {
            channel.connect("test");
            other.connect("test");
            FD_ALL3 detection = channel.getProtocolStack().findProtocol(FD_ALL3.class);
            int before = detection.getHeartbeatsSent();
            Await.until(Await.LIMIT, () -> detection.getHeartbeatsSent() + " heartbeats", () -> {
                channel.down(new EmptyMessage());
                return detection.getHeartbeatsSent() > before + 5;
            });
        }
    }
}
