package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.DataInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.FD_SOCK2;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What failure detection got wrong in one round of many: the rounds mostly wait, so that several run at a time. */
@Tag("cluster")
@Timeout(300)
class WatchingRoundsTest {

    private static final int AT_A_TIME = 6;

    /** How long failure detection waits for an answer by default. */
    private static final int CONNECT_MILLIS = 1000;

    private static void rounds(int count, Callable<Void> round) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(round);
            }
            for (Future<Void> each : threads.invokeAll(all)) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * JGroups' own failure detection; it ends as its process would, right after its first answer. At its ports are others
     * then, who give no answer.
     */
    private static final class AnswersOnce extends FD_SOCK2 {

        private final WatchedChannels channels;
        private final int port;

        AnswersOnce(FD_SOCK2 other, WatchedChannels channels, int port) {
            this.channels = channels;
            this.port = port;
            setId(other.getId());
            setOffset(other.getOffset());
            setPortRange(other.getPortRange());
        }

        @Override
        public void receive(Address sender, DataInput in, int length) throws Exception {
            super.receive(sender, in, length);
            srv.clearConnections(false);
            srv.stop();
            channels.silence(port);
        }

        @Override
        protected void connectToNextPingDest(Address missing) {
            // It watches nobody.
        }
    }

    /** The member that asked learned of the loss as it learned of the connection: in one round of several it saw silence. */
    @Test
    void aMemberThatEndsAfterItsAnswerIsSuspected() throws Exception {
        rounds(40, () -> {
            try (WatchedChannels channels = new WatchedChannels()) {
                List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
                int port = configs.get(1).bindPort() + LoopbackCluster.FAILURE_DETECTION;
                channels.silence(port + 1);
                channels.open(configs, Set.of());
                FD_SOCK2 replaced = channels.get(1).getProtocolStack().findProtocol(FD_SOCK2.class);
                channels.get(1).getProtocolStack().replaceProtocol(replaced, new AnswersOnce(replaced, channels, port));
                channels.connect();
                Await.until(Await.LIMIT, channels.first()::getPingDest, () -> channels.suspicions() > 0);
            }
            return null;
        });
    }

    /** If both make a connection at the same moment, one question in 20 is lost, and has to be asked again. */
    @Test
    void whoJoinsIsConnectedToAndConnectsToTheFirst() throws Exception {
        rounds(60, () -> {
            try (WatchedChannels channels = new WatchedChannels()) {
                channels.open(LoopbackCluster.configs(2), Set.of());
                channels.first().setValue("connect_timeout", CONNECT_MILLIS);
                channels.connect();
                for (JChannel channel : channels.all()) {
                    FD_SOCK2 detection = channel.getProtocolStack().findProtocol(FD_SOCK2.class);
                    Await.until(
                            Await.LIMIT,
                            () -> channel.getName() + " watches " + detection.getPingDest(),
                            () -> detection.getClientState().equals("CONNECTED"));
                    assertEquals(0, (int) detection.getValue("num_suspect_events"), channel.getName());
                }
            }
            return null;
        });
    }
}
