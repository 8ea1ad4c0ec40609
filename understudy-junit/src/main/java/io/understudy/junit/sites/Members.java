package io.understudy.junit.sites;

import io.understudy.KilledNode;
import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.config.Transport;
import io.understudy.config.UnderstudyConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The two nodes of this JVM, which all runs use by turns: the first node of a cluster takes a second to start. Each run has
 * applications of its own on them.
 *
 * <p>Threads: {@link #take} any. What it returns, one at a time.
 */
final class Members implements AutoCloseable {

    /** JVMs that run tests at the same time begin at several ports; a node tries ten from there on. */
    private static final int FIRST_PORT = 10_000;

    /** Failure detection listens 100 above. */
    private static final int APART = 200;

    private static final int FIRST_PORTS = 10;

    private static final Duration READY = Duration.ofSeconds(60);
    private static final long LOOK_AGAIN_MILLIS = 2;
    private static final int NODES = 2;

    private static final Logger LOG = System.getLogger(Members.class.getName());

    private static final Members SHARED = new Members();

    private final Semaphore turn = new Semaphore(1, true);
    private final String cluster = "understudy-junit-" + UUID.randomUUID();
    private final int port = FIRST_PORT + (int) (ProcessHandle.current().pid() % FIRST_PORTS) * APART;
    private final List<Understudy> nodes = new CopyOnWriteArrayList<>();
    private int started;

    /** Starts a node in place of one that was killed; {@code null} before that. */
    private volatile @Nullable Thread replacing;

    private Members() {}

    /** Waits until no other run uses the nodes. To be closed. */
    static Members take() throws InterruptedException {
        SHARED.turn.acquire();
        boolean complete = false;
        try {
            Thread starting = SHARED.replacing;
            if (starting != null) {
                starting.join();
            }
            SHARED.fill();
            complete = true;
            return SHARED;
        } finally {
            if (!complete) {
                SHARED.close();
            }
        }
    }

    private void fill() {
        while (nodes.size() < NODES) {
            nodes.add(start());
        }
    }

    private Understudy start() {
        started++;
        return Understudy.start(UnderstudyConfig.builder()
                .clusterName(cluster)
                .nodeName("node" + started)
                .transport(Transport.TCP)
                .bind("127.0.0.1", port)
                .set(Setting.START_ALONE, nodes.isEmpty() ? "serve" : "wait " + READY.toSeconds() + "s")
                .set(Setting.WARM_UP, "off")
                .set(Setting.TAKE_OVER_REHEARSAL, "off")
                .set(Setting.RETAIN_UNDEPLOYED, "0s")
                .build());
    }

    /** Both, in the order of their start. */
    List<Understudy> nodes() {
        return List.copyOf(nodes);
    }

    /** A node ends as a killed process. Another one takes its place when the run is over. */
    void kill(Understudy node) {
        nodes.remove(node);
        KilledNode.kill(node);
    }

    /** Waits until the nodes hold all sessions of their applications. */
    void awaitReady() throws InterruptedException {
        long end = System.nanoTime() + READY.toNanos();
        for (Understudy node : nodes) {
            while (!node.readiness().ready()) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(
                            "node " + node.config().nodeName() + " of the test is not ready after " + READY.toSeconds()
                                    + " s: " + node.readiness().reason() + "; see its log");
                }
                Thread.sleep(LOOK_AGAIN_MILLIS);
            }
        }
    }

    /** The next run may use the nodes. A node in place of a killed one starts meanwhile. */
    @Override
    public void close() {
        if (nodes.size() == NODES - 1) {
            Thread starting = new Thread(this::replace, "understudy-junit-node");
            starting.setDaemon(true);
            replacing = starting;
            starting.start();
        }
        turn.release();
    }

    private void replace() {
        try {
            fill();
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "a node did not start; the next run tries again", e);
        }
    }
}
