package io.understudy.demo.launcher.cluster;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All nodes, with a health check for each. Threads: any. */
public final class DemoCluster implements AutoCloseable {

    /** The pause between two checks of a node, in milliseconds. */
    private static final long CHECK_MILLIS = 200;

    private static final Logger LOG = System.getLogger(DemoCluster.class.getName());

    private final List<ClusterNode> nodes;
    private final List<Thread> checks;

    public DemoCluster(List<NodeSpec> specs) {
        nodes = specs.stream().map(ClusterNode::new).toList();
        checks = nodes.stream()
                .map(node -> new Thread(() -> check(node), "health-" + node.name()))
                .toList();
        checks.forEach(check -> check.setDaemon(true));
    }

    public List<ClusterNode> nodes() {
        return nodes;
    }

    public void start() throws IOException, Refused {
        for (ClusterNode node : nodes) {
            node.start();
        }
        checks.forEach(Thread::start);
    }

    /**
     * Waits until every node is ready.
     *
     * @throws Refused naming a node that ended, or that is not ready in time, and why
     */
    public void awaitReady(long timeoutMillis) throws Refused, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        for (ClusterNode node : nodes) {
            for (NodeStatus now = node.status(); now.state() != NodeState.READY; now = node.status()) {
                if (now.state() == NodeState.DEAD) {
                    throw new Refused(now.name() + " " + now.reason() + " before it was ready: see its lines above");
                }
                if (System.nanoTime() >= deadline) {
                    throw new Refused(
                            now.name() + " is not ready after " + timeoutMillis / 1000 + " s: " + now.reason());
                }
                Thread.sleep(20);
            }
        }
    }

    /** Stops all nodes at once, those paused too; returns when no process is left. */
    @Override
    public void close() {
        checks.forEach(Thread::interrupt);
        List<Thread> stops = nodes.stream()
                .map(node -> new Thread(() -> stop(node), "stop-" + node.name()))
                .toList();
        stops.forEach(Thread::start);
        for (Thread stop : stops) {
            try {
                stop.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void stop(ClusterNode node) {
        try {
            node.stop();
        } catch (Refused e) {
            // It does not run: nothing to stop.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void check(ClusterNode node) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                node.check();
                Thread.sleep(CHECK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                // Thrown on, it would end the checks of this node for ever.
                LOG.log(Level.ERROR, node.name() + " - the health check failed", e);
            }
        }
    }
}
