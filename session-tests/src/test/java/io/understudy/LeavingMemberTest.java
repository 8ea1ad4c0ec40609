package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.understudy.config.Setting;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While a member says goodbye, for one application or for all, nobody misses its acknowledgements. */
@Tag("cluster")
class LeavingMemberTest {

    private static final int WRITERS = 8;

    /** Longer than any step of the moved time. */
    private static final int IDLE_SECONDS = 1_000_000;

    private final MovedTime time = new MovedTime();
    private final Cluster cluster = Cluster.of(3, Map.of(Setting.TOUCH_INTERVAL, "50ms"), time, 3);
    private final AtomicBoolean ended = new AtomicBoolean();

    @AfterEach
    void close() {
        ended.set(true);
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "application"})
    void whatIsWrittenMeanwhileIsAcknowledged(String what) throws Exception {
        List<Queue<Outcome>> outcomes = new ArrayList<>();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Queue<Outcome> mine = new ConcurrentLinkedQueue<>();
            LiveSession session = cluster.sessions(i % 2 * 2).create("s" + i, IDLE_SECONDS);
            outcomes.add(mine);
            writers.add(Beside.run(() -> write(session, mine)));
        }
        // Changes arrive before the goodbye does, or acknowledgements overtake it.
        try (Fault late = what.equals("node")
                ? cluster.delayMulticasts(Duration.ofMillis(100))
                : cluster.reorder(0.5, Duration.ofMillis(100))) {
            assertNotNull(late);
            awaitEach(outcomes, 5);
            if (what.equals("node")) {
                cluster.node(1).close();
            } else {
                cluster.sessions(1).close();
                time.advance(Duration.ofHours(1));
                Await.that("left", () -> cluster.node(1).gauges().get("sessions") == 0);
            }
            awaitEach(outcomes, 5);
        }
        ended.set(true);
        for (CompletableFuture<Void> writer : writers) {
            writer.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
        for (Queue<Outcome> each : outcomes) {
            assertEquals(
                    List.of(),
                    each.stream()
                            .filter(outcome -> outcome != Outcome.ACKNOWLEDGED)
                            .toList());
        }
    }

    private void write(LiveSession session, Queue<Outcome> outcomes) {
        for (int i = 0; !ended.get(); i++) {
            outcomes.add(SessionRequest.put(session, "value", i));
        }
    }

    private static void awaitEach(List<Queue<Outcome>> outcomes, int more) {
        List<Integer> before = outcomes.stream().map(Queue::size).toList();
        for (int i = 0; i < WRITERS; i++) {
            int enough = before.get(i) + more;
            Queue<Outcome> mine = outcomes.get(i);
            Await.that("written on", () -> mine.size() >= enough);
        }
    }
}
