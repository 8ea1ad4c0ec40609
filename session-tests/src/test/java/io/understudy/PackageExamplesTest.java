package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.Admission;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.SessionUse;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.faults.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples in the javadoc of the packages for applications and for adapters. */
@Tag("cluster")
class PackageExamplesTest {

    @Test
    void aNodeLoadsMuchAndDrains() throws Exception {
        UnderstudyConfig config = LoopbackCluster.configs(1).get(0);
        List<String> log = new ArrayList<>();
        operate(config, () -> log.add("loaded"), log);
        assertEquals("loaded", log.get(0));
        assertTrue(log.get(1).startsWith("drained"), log::toString);
    }

    private static void operate(UnderstudyConfig config, Runnable load, List<String> log) throws InterruptedException {
        try (Understudy node = Understudy.start(config)) {
            node.setNodeCoherent(false); // Responses do not wait while much is loaded.
            load.run();
            node.setNodeCoherent(true); // Returns when the other members hold all of it.

            DrainReceipt receipt = node.drain(Duration.ofSeconds(30));
            log.add(receipt.toString());
        }
    }

    @Test
    void aRequestChangesASession() {
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.COHERENCE, "coherent"))) {
            assertEquals(Admission.PROCEED, cluster.sessions(1).admit("unknown"));
            assertEquals(Outcome.UNCHANGED, count(cluster.sessions(0), "unknown"));
            cluster.sessions(0).create("a", 1800).commit().await();
            assertEquals(Outcome.ACKNOWLEDGED, count(cluster.sessions(0), "a"));
            assertEquals(Outcome.ACKNOWLEDGED, count(cluster.sessions(1), "a"));
            LiveSession session = cluster.sessions(0).find("a");
            assertNotNull(session);
            assertEquals(2, session.attributes().get("count"));
        }
    }

    private static @Nullable Outcome count(ReplicatedSessions sessions, String id) {
        if (sessions.admit(id) == Admission.UNAVAILABLE) {
            return null; // Status 503 with Retry-After.
        }
        LiveSession session = sessions.find(id);
        if (session == null || session.overdue()) {
            return Outcome.UNCHANGED;
        }
        SessionUse use = session.use();
        try {
            use.begin();
            session.attributes(use.ticket()).merge("count", 1, (a, b) -> (Integer) a + (Integer) b);
            Outcome outcome = use.commit(null).await(); // The response leaves after this.
            use.responseReady();
            return outcome;
        } finally {
            use.end();
        }
    }
}
