package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node whose threads hang tells load balancers so. */
@Tag("process")
@Timeout(1800)
class HungNodeTest {

    private final CountDownLatch open = new CountDownLatch(1);

    /** Whether the calling thread hangs when it looks at the clock. */
    private volatile BooleanSupplier hangs = () -> false;

    private final TimeSource time = new TimeSource() {
        @Override
        public long wallMillis() {
            return SYSTEM.wallMillis();
        }

        @Override
        public long monotonicMillis() {
            while (hangs.getAsBoolean() && open.getCount() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
            return SYSTEM.monotonicMillis();
        }
    };

    private static boolean worker() {
        return Thread.currentThread().getName().startsWith("scope-");
    }

    private static boolean readerThatMerges() {
        return !worker()
                && StackWalker.getInstance()
                        .walk(frames ->
                                frames.anyMatch(frame -> frame.getClassName().endsWith(".DeltaReceiver")))
                && StackWalker.getInstance()
                        .walk(frames ->
                                frames.anyMatch(frame -> frame.getClassName().endsWith(".QUEUED_TCP")));
    }

    private static ReplicatedSessions join(Understudy node) {
        ReplicatedSessions sessions = node.join("/shop", HungNodeTest.class::getClassLoader);
        Await.until(Await.LIMIT, node::readiness, () -> node.readiness().ready());
        return sessions;
    }

    @Test
    void readinessNamesAWorkerThatStandsStill() {
        standsStill(HungNodeTest::worker, false);
    }

    @Test
    void readinessNamesAReaderThatStandsStill() {
        standsStill(HungNodeTest::readerThatMerges, true);
    }

    /** @param known whether the other node knows the session before */
    private void standsStill(BooleanSupplier thread, boolean known) {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, Map.of(Setting.COHERENCE, "incoherent"));
        try (Understudy first = NodeStart.start(configs.get(0));
                ReplicatedSessions sessions = join(first);
                Understudy second = NodeStart.start(configs.get(1), time, StackCustomizer.NONE);
                ReplicatedSessions there = join(second)) {
            LiveSession session = sessions.create("a", 1800);
            if (known) {
                var unused = put(session, "first", "ada");
                Await.until(Await.LIMIT, there::ids, () -> there.ids().contains("a"));
            }
            hangs = thread;
            var unused = put(session, "user", "ada");
            Await.until(
                    Await.LIMIT,
                    second::readiness,
                    () -> second.readiness()
                            .reason()
                            .contains("has made no progress with delivering changes of other members"));
            assertFalse(second.readiness().ready());
            open.countDown();
            Await.until(Await.LIMIT, second::readiness, () -> second.readiness().ready());
            Await.until(
                    Await.LIMIT,
                    there::ids,
                    () -> there.ids().contains("a")
                            && "ada".equals(find(there, "a").attributes().get("user")));
        }
    }
}
