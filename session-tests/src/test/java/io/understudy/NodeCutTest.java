package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node that is cut off ends as a killed process, although its JVM goes on. */
@Tag("cluster")
class NodeCutTest {

    private static final String ACKNOWLEDGED = "acknowledged";
    private static final String NOTED = "noted";

    private static LiveSession visit(Cluster cluster, String id) {
        LiveSession session = cluster.sessions(0).create(id, 1800);
        assertEquals(Outcome.UNCHANGED, use(session, () -> {}));
        return session;
    }

    @Test
    void onlyAcknowledgedChangesSurvive() {
        Map<Setting, String> settings = Map.of(Setting.COHERENCE, "incoherent", Setting.TOUCH_INTERVAL, "1h");
        try (Cluster cluster = Cluster.of(2, settings)) {
            cluster.node(0).setNodeCoherent(true);
            assertEquals(Outcome.ACKNOWLEDGED, put(cluster.sessions(0).create(ACKNOWLEDGED, 1800), "user", "ada"));
            cluster.node(0).setNodeCoherent(false);
            LiveSession unsent = visit(cluster, NOTED);
            long suspected = cluster.node(1).metrics().value(Counter.MEMBERS_SUSPECTED);
            cluster.node(0).cut();
            assertFalse(cluster.node(0).connected());
            cluster.awaitView(1, 1);
            assertEquals(
                    "ada", find(cluster.sessions(1), ACKNOWLEDGED).attributes().get("user"));
            assertFalse(cluster.sessions(1).contains(unsent.id()), "it was never sent");
            assertEquals(
                    suspected + 1,
                    cluster.node(1).metrics().value(Counter.MEMBERS_SUSPECTED),
                    "there is no goodbye: the failure is detected");
        }
    }
}
