package io.understudy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.ClusterChannel;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes of several clusters that the applications of one JVM share. */
@Tag("cluster")
class SharedNodeTest {

    private static final String STARTING = "starting";

    private final Logger logger = Logger.getLogger(ClusterChannel.class.getName());
    private final CountDownLatch starts = new CountDownLatch(1);
    private final CountDownLatch mayStart = new CountDownLatch(1);

    /** A node of this name logs its view while it starts: it stops there until the test lets it go on. */
    private final Handler gate = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getParameters() != null && List.of(line.getParameters()).contains(STARTING)) {
                starts.countDown();
                try {
                    assertTrue(mayStart.await(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** Discovery of the other cluster may take as long as its name server or database does. */
    @Test
    void oneGoesOnWhileAnotherStarts() throws Exception {
        UnderstudyConfig other = LoopbackCluster.configs(1).get(0).with(Map.of(Setting.NODE_NAME.key(), STARTING));
        Understudy node = Understudy.shared(
                LoopbackCluster.configs(1, Map.of(Setting.TOUCH_INTERVAL, "50ms", Setting.RETAIN_UNDEPLOYED, "1s"))
                        .get(0));
        ReplicatedSessions sessions = node.join("/shop", SharedNodeTest.class::getClassLoader);
        logger.addHandler(gate);
        CompletableFuture<Understudy> started = Beside.get(() -> Understudy.shared(other));
        try {
            assertTrue(starts.await(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS), "it does not start");
            sessions.close();
            Await.that("its regular tasks run", () -> !node.readiness().reason().contains("/shop"));
        } finally {
            mayStart.countDown();
            logger.removeHandler(gate);
            started.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS).close();
            node.close();
        }
    }
}
