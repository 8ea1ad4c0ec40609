package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that are interrupted while they end a session, as containers and applications do to those they want to stop. */
@Tag("cluster")
@Timeout(300)
class InterruptedEndTest {

    private static final Duration LATE = Duration.ofMillis(20);

    private record LoggedOut(boolean told, boolean interrupted) {}

    private static LoggedOut logout(LiveSession session) {
        Thread.currentThread().interrupt();
        boolean told = session.beginEnd();
        boolean interrupted = Thread.interrupted();
        if (told) {
            session.invalidate().await();
        }
        return new LoggedOut(told, interrupted);
    }

    private static CompletableFuture<LoggedOut> beginLogout(Cluster cluster, int node, String id) {
        LiveSession session = find(cluster.sessions(node), id);
        return Beside.get(() -> logout(session));
    }

    @Test
    void interruptedLogoutsOnTwoNodesAreToldOnce() {
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.TOUCH_INTERVAL, "100ms"))) {
            for (int i = 0; i < 20; i++) {
                String id = "s" + i;
                put(cluster.sessions(i % 2).create(id, 60), "name", "ann");
                cluster.awaitEqual(Await.LIMIT);
                try (Fault late = cluster.delay(LATE)) {
                    List<LoggedOut> both =
                            IntStream.range(0, 2).mapToObj(node -> beginLogout(cluster, node, id)).toList().stream()
                                    .map(CompletableFuture::join)
                                    .toList();
                    assertEquals(1, both.stream().filter(LoggedOut::told).count(), both + " while it " + late);
                    assertTrue(both.stream().allMatch(LoggedOut::interrupted), "whoever interrupted them is heard");
                }
                for (int node = 0; node < 2; node++) {
                    assertFalse(cluster.sessions(node).contains(id));
                }
            }
            for (int node = 0; node < 2; node++) {
                assertEquals(0, cluster.node(node).metrics().value(Counter.ENDS_UNCONFIRMED));
            }
        }
    }
}
