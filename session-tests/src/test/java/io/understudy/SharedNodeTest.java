package io.understudy;

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
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes of several clusters that the applications of one JVM share. */
@Tag("cluster")
class SharedNodeTest {

    private static final String STARTING = "starting";

    /** Discovery of the other cluster may take as long as its name server or database does. */
    @Test
    void oneGoesOnWhileAnotherStarts() throws Exception {
        UnderstudyConfig other = LoopbackCluster.configs(1).get(0).with(Map.of(Setting.NODE_NAME.key(), STARTING));
        Understudy node = Understudy.shared(
                LoopbackCluster.configs(1, Map.of(Setting.TOUCH_INTERVAL, "50ms", Setting.RETAIN_UNDEPLOYED, "1s"))
                        .get(0));
        ReplicatedSessions sessions = node.join("/shop", SharedNodeTest.class::getClassLoader);
        HeldLine start = new HeldLine(ClusterChannel.class, SharedNodeTest::ofStart);
        CompletableFuture<Understudy> started = Beside.get(() -> Understudy.shared(other));
        try {
            start.awaitReached();
            sessions.close();
            Await.that("its regular tasks run", () -> !node.readiness().reason().contains("/shop"));
        } finally {
            start.close();
            started.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS).close();
            node.close();
        }
    }

    /** A node of this name logs its view while it starts. */
    private static boolean ofStart(LogRecord line) {
        return line.getParameters() != null && List.of(line.getParameters()).contains(STARTING);
    }
}
