package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faultpoints.FaultKind;
import io.understudy.testkit.faultpoints.FaultPoints;
import io.understudy.testkit.faultpoints.FaultPoints.Point;
import io.understudy.testkit.faultpoints.PointedLoader;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import io.understudy.testkit.faultsweep.Leftovers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The heap is full just when a session's end sets a time limit for its acknowledgement, which is late. */
@Tag("cluster")
@Timeout(300)
class EndWithoutMemoryTest {

    @Test
    void theEndIsClaimedNoLongerThanUntilItsAcknowledgement() throws Exception {
        Class.forName(Inside.class.getName(), true, new PointedLoader())
                .getMethod("run")
                .invoke(null);
    }

    /** Loaded again, with the cluster that it starts. */
    public static final class Inside {

        private final Cluster cluster;
        private int sessions;

        private Inside(Cluster cluster) {
            this.cluster = cluster;
        }

        public static void run() {
            try (Cluster cluster = Cluster.of(2, Map.of(Setting.COHERENCE, "coherent"))) {
                new Inside(cluster).endEach();
            }
        }

        private void endEach() {
            List<Point> places = FaultPoints.passed(() -> end(null)).stream()
                    .filter(point -> point.kind() == FaultKind.MEMORY)
                    .filter(point -> point.place().startsWith("AwaitedOutcome.timed:")
                            || point.place().startsWith("AwaitedOutcome.setLimit:"))
                    .toList();
            assertFalse(places.isEmpty());
            places.forEach(this::end);
        }

        private void end(@Nullable Point full) {
            LiveSession session = cluster.sessions(0).create("s" + sessions++, 1800);
            SessionRequest.put(session, "user", "ada");
            assertTrue(session.beginEnd());
            try (Fault late = cluster.pause(1)) {
                if (full == null) {
                    Commit unused = session.invalidate();
                } else {
                    FaultPoints.arm(full, FaultKind.MEMORY);
                    assertThrows(OutOfMemoryError.class, session::invalidate, full::place);
                }
                assert late != null;
            } finally {
                var unused = FaultPoints.disarm();
            }
            Await.until(
                    Await.LIMIT,
                    () -> full + ": " + Leftovers.of(cluster.node(0)),
                    () -> Leftovers.of(cluster.node(0)).isEmpty());
        }
    }
}
