package io.understudy.network.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.seal.SealFilters;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.threads.Failures;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.MulticastSocket;
import java.net.PortUnreachableException;
import java.net.SocketException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Discovery by multicast, whose socket fails. */
@Tag("cluster")
class MulticastDiscoveryTest {

    /** Fails for several reasons before it is closed. */
    private static final class FailingSocket extends MulticastSocket {

        private int reads;

        FailingSocket() throws IOException {
            super(null);
        }

        @Override
        public void receive(DatagramPacket packet) throws IOException {
            switch (++reads) {
                case 1 -> throw new PortUnreachableException();
                case 2 -> throw new OutOfMemoryError("not at all");
                default -> {
                    close();
                    throw new SocketException("closed");
                }
            }
        }
    }

    @Test
    void requestsAreReadUntilTheSocketIsClosedWhateverIsThrown() throws IOException {
        UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
        ReplicationMetrics metrics = new ReplicationMetrics();
        SEALED_MPING discovery =
                new SEALED_MPING(SealFilters.of(config, metrics), new Failures(config.nodeName(), metrics));
        try (FailingSocket socket = new FailingSocket()) {
            discovery.setValue("mcast_receive_sock", socket);
            discovery.setValue("receiver", Thread.currentThread());
            discovery.run();
            assertEquals(3, socket.reads);
        }
    }
}
