package io.understudy;

import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.Counter;
import io.understudy.session.Admission;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An id beyond the first few of a request. */
@Tag("cluster")
class UnaskedIdTest {

    @Test
    void aReadyNodeGoesOnWithoutAskingOthers() {
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.TOUCH_INTERVAL, "1h", Setting.COHERENCE, "incoherent"))) {
            LiveSession unannounced = cluster.sessions(0).create("a", 1800);
            unannounced.exit(unannounced.enter());
            unannounced.commit();
            ReplicatedSessions sessions = cluster.sessions(1);
            assertEquals(Admission.PROCEED, sessions.admitUnasked("a"));
            assertFalse(sessions.contains("a"));
            assertEquals(0, cluster.node(1).metrics().value(Counter.SESSIONS_LOOKED_UP));
        }
    }

    @Test
    void aSessionThatIsHereIsFound() {
        try (Cluster cluster = Cluster.of(1, Map.of())) {
            put(cluster.sessions(0).create("a", 1800), "name", "ada");
            assertEquals(Admission.PROCEED, cluster.sessions(0).admitUnasked("a"));
        }
    }

    @Test
    void aJoiningNodeCanNotTell() {
        UnderstudyConfig waits = LoopbackCluster.configs(2, Map.of(Setting.START_ALONE, "wait 1h"))
                .get(1);
        try (Understudy node = Understudy.start(waits)) {
            ReplicatedSessions sessions = node.join("/shop", UnaskedIdTest.class::getClassLoader);
            assertEquals(Admission.UNAVAILABLE, sessions.admitUnasked("a"));
        }
    }
}
