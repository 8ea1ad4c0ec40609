package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Votes that members wait for while failure detection has not decided yet. */
@Tag("process")
class LateVotesTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** As long as the fault lasts, which is longer than members wait for votes otherwise. */
    private static final long FAULT_MILLIS = 3000;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** How many times a node told listeners that a session ended. */
    private final AtomicInteger told = new AtomicInteger();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    /** What a container does for a request; true if this node told the listeners. */
    private boolean logout(LiveSession session) {
        boolean begun = session.beginEnd();
        if (begun) {
            told.incrementAndGet();
            session.invalidate().await();
        }
        return begun;
    }

    private static LiveSession used(Cluster cluster, int node, String id) {
        LiveSession session = cluster.sessions(node).create(id, 60);
        put(session, "used", 1);
        return session;
    }

    /** Neither may go on without the other's vote, while failure detection may still find that they are on one side. */
    @Test
    void oneOfTwoLogoutsFiresWhenVotesArriveLate() throws Exception {
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.TOUCH_INTERVAL, "100ms"))) {
            for (int node = 0; node < 2; node++) { // Then each has heard that the other votes.
                assertTrue(logout(used(cluster, node, "before" + node)));
            }
            used(cluster, 0, "s");
            cluster.awaitEqual(LIMIT);
            List<Future<Boolean>> logouts = new ArrayList<>();
            try (Fault deaf = cluster.dropUnicasts()) {
                for (int node = 0; node < 2; node++) {
                    LiveSession session = find(cluster.sessions(node), "s");
                    logouts.add(threads.submit(() -> logout(session)));
                }
                Thread.sleep(FAULT_MILLIS);
                assertEquals(2, told.get());
                assertEquals(0, cluster.node(0).metrics().value(Counter.ENDS_UNCONFIRMED), deaf::toString);
            }
            int begun = 0;
            for (Future<Boolean> logout : logouts) {
                begun += logout.get(LIMIT.toSeconds(), TimeUnit.SECONDS) ? 1 : 0;
            }
            assertEquals(1, begun);
            assertEquals(3, told.get());
        }
    }
}
