package io.understudy.codec;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A tree with a circle in it, in a session of two nodes. The test makes it with {@link JdkFields}, so it is of the tier
 * process.
 */
@Tag("process")
class BentTreeOnTwoNodesTest {

    /** No thread changes it any more: without a bound the commit would go round in it, and hold up the session. */
    @Test
    void aBentTreeIsKeptAsItWas() {
        try (Cluster cluster = ChangingValuesOnTwoNodesTest.cluster()) {
            LiveSession session = cluster.sessions(0).create("bent", 1800);
            Map<Integer, String> tree = new TreeMap<>(Map.of(1, "one", 2, "two", 3, "three"));
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "value", tree));
            long before = ChangingValuesOnTwoNodesTest.kept(cluster);
            JdkFields.bend(tree);
            assertEquals(Outcome.DEGRADED, ChangingValuesOnTwoNodesTest.commit(session));
            assertEquals(1, ChangingValuesOnTwoNodesTest.kept(cluster) - before);
            assertEquals(
                    Map.of(1, "one", 2, "two", 3, "three"),
                    ChangingValuesOnTwoNodesTest.value(find(cluster.sessions(1), "bent")));
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "value", "another"));
            assertEquals("another", ChangingValuesOnTwoNodesTest.value(find(cluster.sessions(1), "bent")));
        }
    }
}
