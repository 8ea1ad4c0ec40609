package io.understudy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application that nobody deployed again leaves its node; that takes as long as listeners and slow members take. */
@Tag("cluster")
class LeavingApplicationTest {

    private final MovedTime time = new MovedTime();
    private final Cluster cluster = Cluster.of(1, Map.of(Setting.TOUCH_INTERVAL, "50ms"), time, 1);

    /** Leaving begins with a log line. */
    private final HeldLine leaving =
            new HeldLine(Applications.class, line -> line.getMessage().contains("not deployed again"));

    @BeforeEach
    void begin() throws Exception {
        cluster.sessions(0).close();
        time.advance(Duration.ofHours(1));
        leaving.awaitReached();
    }

    @AfterEach
    void close() {
        leaving.close();
        cluster.close();
    }

    private ReplicatedSessions join(String name) {
        return cluster.node(0).join(name, LeavingApplicationTest.class::getClassLoader);
    }

    private static <T> T get(CompletableFuture<T> result) throws Exception {
        return result.get(Await.LIMIT.toMillis() / 2, TimeUnit.MILLISECONDS);
    }

    @Test
    void readinessIsToldMeanwhile() throws Exception {
        Readiness readiness = get(Beside.get(cluster.node(0)::readiness));
        assertFalse(readiness.ready(), readiness.reason());
    }

    @Test
    void othersComeAndGoMeanwhile() throws Exception {
        ReplicatedSessions other = get(Beside.get(() -> join("/other")));
        Await.that("ready", () -> cluster.node(0).readiness().ready());
        get(Beside.run(other::close));
        assertTrue(leaving.holds());
    }

    @Test
    void itsNextDeploymentBeginsWhenItHasLeft() throws Exception {
        CompletableFuture<ReplicatedSessions> again = Beside.get(() -> join("/shop"));
        leaving.letGoOn();
        try (ReplicatedSessions sessions = get(again)) {
            Await.that("ready", () -> cluster.node(0).readiness().ready());
            assertTrue(sessions.ids().isEmpty());
        }
    }
}
