package io.understudy.network.multicast;

import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.seal.SealFilters;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.threads.Failures;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Address;
import org.jgroups.util.DefaultThreadFactory;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("cluster")
@Timeout(120)
class MulticastFailuresTest {

    private final AtomicInteger looks = new AtomicInteger();

    /** Fails at the second look. */
    private final class Failing implements Multicast.Carrier {
        @Override
        public void arrived(Address sender, byte[] bytes, int offset, int length) {}

        @Override
        public void confirm(Address to, BeaconAckHeader heard) {}

        @Override
        public Collection<Address> members() {
            if (looks.incrementAndGet() == 2) {
                throw new OutOfMemoryError("a test's");
            }
            return List.of();
        }
    }

    @Test
    void anErrorDoesNotEndTheLookAtWhoHears() {
        UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
        Multicast multicast = new Multicast(
                config.nodeName(),
                config.clusterName(),
                SealFilters.of(config, new ReplicationMetrics()),
                config.bindAddress(),
                new InetSocketAddress(config.multicastAddress(), config.multicastPort()),
                new Failures(config.nodeName(), new ReplicationMetrics()));
        multicast.start(new Failing(), UUID.randomUUID(), new DefaultThreadFactory("test", true));
        try {
            Await.until(Await.LIMIT, looks::get, () -> looks.get() > 3);
        } finally {
            multicast.stop();
        }
    }
}
