package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.codec.Frame.Phase;
import io.understudy.config.Acks;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.TimeSource;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gauge that is read between the send and its own rise would miss a change whose response has left. */
@Timeout(60)
class RiskBeforeSendTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void aChangeIsAtRiskBeforeItIsSent() {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2);
        try (ClusterChannel a = ClusterChannel.connect(configs.get(0), TimeSource.SYSTEM, new ReplicationMetrics());
                ClusterChannel b =
                        ClusterChannel.connect(configs.get(1), TimeSource.SYSTEM, new ReplicationMetrics())) {
            ApplicationGroup onA = join(a);
            ApplicationGroup onB = join(b);
            Await.until(LIMIT, a::sessionsAtRisk, () -> counts(a));
            SessionKey key = new SessionKey(7);
            Stamp now = a.clock().next();
            SessionDelta delta = new SessionDelta(
                    key, true, new Stamped<>(now, "id"), new Stamped<>(now, 1800), now, Map.of(), null);
            Outgoing outgoing = onA.prepare(delta, 0, Acks.ALL);
            assertEquals(1, a.changesAtRisk());
            assertEquals(1, a.sessionsAtRisk());
            outgoing.send();
            assertEquals(Held.ALL, outgoing.held().join());
            assertEquals(0, a.changesAtRisk());
            assertEquals("id", onB.store().get(key).replica().id());
        }
    }

    private static ApplicationGroup join(ClusterChannel channel) {
        ApplicationGroup group = channel.join("/shop");
        Await.until(LIMIT, group::waitingFor, group::ready);
        return group;
    }

    /** Whether the other member's acknowledgements are waited for. */
    private static boolean counts(ClusterChannel channel) {
        long number = ApplicationGroup.number("/shop");
        return !channel.members().others(number, Phase.READY).isEmpty();
    }
}
