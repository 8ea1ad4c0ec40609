package io.understudy.benchmarks.peers.node;

import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import java.time.Duration;

/** A node that gets requests when it is ready, as a load balancer does it. */
final class ReadyNode {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 10;

    private ReadyNode() {}

    /** Waits until the node of this process with these settings is ready. */
    static void await(UnderstudyConfig config) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        Understudy node = Understudy.shared(config);
        try {
            while (!node.readiness().ready()) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException("not ready after " + LIMIT + ": " + node.readiness());
                }
                Thread.sleep(LOOK_MILLIS);
            }
        } finally {
            node.release();
        }
    }
}
