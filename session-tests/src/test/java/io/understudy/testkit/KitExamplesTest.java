package io.understudy.testkit;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Setting;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples of the test kit's README. */
@Tag("cluster")
class KitExamplesTest {

    private static final Duration LIMIT = Await.LIMIT;

    @Test
    void startsThreeNodesAndKillsOne() {
        try (Cluster cluster = Cluster.of(3, Map.of(Setting.COHERENCE, "coherent"))) {
            LiveSession session = cluster.sessions(0).create("a", 1800);
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "user", "ada"));
            cluster.kill(0);
            assertEquals("ada", find(cluster.sessions(1), "a").attributes().get("user"));
            cluster.start(0);
            assertEquals("ada", find(cluster.sessions(0), "a").attributes().get("user"));
        }
    }

    @Test
    void losesMessagesAndSplitsTheCluster() {
        try (Cluster cluster = Cluster.of(3, Map.of(Setting.ACK_TIMEOUT, "200ms"))) {
            LiveSession session = cluster.sessions(0).create("a", 1800);
            Fault loss = cluster.drop(0.05);
            put(session, "user", "ada");
            loss.close();
            Fault split = cluster.partition(List.of(Set.of(0), Set.of(1, 2)));
            put(session, "left", 1);
            cluster.awaitView(0, 1);
            split.close();
            cluster.awaitEqual(LIMIT);
        }
    }

    @Test
    void movesTheClock() {
        MovedTime time = new MovedTime();
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.TOUCH_INTERVAL, "100ms"), time, 1)) {
            put(cluster.sessions(0).create("a", 60), "user", "ada");
            time.advance(Duration.ofMinutes(2));
            Await.until(
                    LIMIT,
                    () -> "not due",
                    () -> cluster.sessions(0).expirable().size() == 1);
        }
    }
}
