package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a node would continue a session with, without a use of the session. */
@Tag("cluster")
class ReplicatedCopyTest {

    private static final String ID = "one";

    private static LiveSession session(Cluster cluster) {
        LiveSession session = cluster.sessions(0).create(ID, 1800);
        assertEquals(Outcome.ACKNOWLEDGED, SessionRequest.put(session, "cart", new ArrayList<>(List.of("tea", "cup"))));
        return session;
    }

    @Test
    void theOtherNodeHasTheSame() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            session(cluster);
            assertEquals(Map.of("cart", List.of("tea", "cup")), ReplicatedCopy.of(cluster.sessions(1), ID));
            assertTrue(ReplicatedCopy.same(cluster.sessions(0), cluster.sessions(1), ID));
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void aChangedCopyChangesNothing() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            session(cluster);
            ((List<String>) ReplicatedCopy.of(cluster.sessions(1), ID).get("cart")).add("pot");
            assertEquals(Map.of("cart", List.of("tea", "cup")), ReplicatedCopy.of(cluster.sessions(1), ID));
            assertEquals(
                    List.of("tea", "cup"),
                    SessionRequest.find(cluster.sessions(1), ID).attributes().get("cart"));
        }
    }

    @Test
    void aSessionThatIsNotThereHasNoAttributes() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            assertEquals(Map.of(), ReplicatedCopy.of(cluster.sessions(1), ID));
            assertTrue(ReplicatedCopy.same(cluster.sessions(0), cluster.sessions(1), ID));
        }
    }

    @Test
    void aNewSessionWithoutAttributesIsNothingToWaitFor() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            LiveSession unsent = cluster.sessions(0).create(ID, 1800);
            assertTrue(unsent.valid());
            assertTrue(ReplicatedCopy.same(cluster.sessions(0), cluster.sessions(1), ID));
            assertFalse(ReplicatedCopy.same(cluster.sessions(1), cluster.sessions(0), ID));
        }
    }
}
