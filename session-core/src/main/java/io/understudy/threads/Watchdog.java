package io.understudy.threads;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices what stands still though it must not: while anything does, this node is not ready, and reports why. A thread
 * that has ended is begun again.
 *
 * <p>It counts its own looks, one in a second, not the time: while the whole process stands still nobody looks. The
 * detection of pauses notices that.
 *
 * <p>Threads: one of its own makes the rounds; else any.
 */
public final class Watchdog implements Loop.Rounds {

    private static final Logger LOG = System.getLogger(Watchdog.class.getName());

    private static final long LOOK_MILLIS = 1000;

    /** So long it may have been itself, in nanoseconds, since it looked last. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(Watched.PATIENCE * LOOK_MILLIS);

    private final String node;
    private final ReplicationMetrics metrics;
    private final Failures failures;
    private final List<Watched> watched = new CopyOnWriteArrayList<>();

    /** What stands still, and was told of. */
    private final Set<Watched> told = ConcurrentHashMap.newKeySet();

    private volatile @Nullable String found;
    private volatile @Nullable String ended;
    private volatile long lookedNanos = System.nanoTime();
    private volatile boolean stopped;

    /** @param node its name in logs */
    public Watchdog(String node, ReplicationMetrics metrics, Failures failures) {
        this.node = node;
        this.metrics = metrics;
        this.failures = failures;
    }

    /** From now on it is watched. */
    public void watch(Watched each) {
        watched.add(each);
    }

    /**
     * The same of a thread, which is begun again if it ends before its last round.
     *
     * @param more steps that it makes within a round
     * @param patience looks without a step after which it stands still
     */
    public void watch(Loop loop, LongSupplier more, int patience) {
        watch(new Watched(loop.name(), () -> loop.rounds() + more.getAsLong())
                .until(loop::over)
                .patience(patience)
                .care(() -> revive(loop)));
    }

    private void revive(Loop loop) {
        if (loop.dead()) {
            metrics.count(Counter.THREADS_RESTARTED);
            LOG.log(Level.ERROR, "{0} - the thread for {1} has ended: a new thread replaces it", node, loop.name());
            loop.start();
        }
    }

    @Override
    public boolean round() throws InterruptedException {
        look();
        Thread.sleep(LOOK_MILLIS);
        return !stopped;
    }

    /** One at a time: each counts for how long a thread has stood still. */
    public synchronized void look() {
        lookedNanos = System.nanoTime();
        watched.removeIf(Watched::over);
        List<String> still = new ArrayList<>();
        for (Watched each : watched) {
            failures.run("watching " + each.what(), each::look);
            if (each.standsStill()) {
                still.add(each.what() + " for " + each.still() + " s");
                tell(each);
            } else if (told.remove(each)) {
                LOG.log(Level.INFO, "{0} - makes progress again with {1}", node, each.what());
            }
        }
        told.retainAll(watched);
        found = still.isEmpty() ? null : "has made no progress with " + String.join(", with ", still);
    }

    private void tell(Watched still) {
        if (told.add(still)) {
            metrics.count(Counter.THREADS_STUCK);
            LOG.log(
                    Level.ERROR,
                    "{0} - has made no progress with {1} for {2} s: it is not ready until it does",
                    node,
                    still.what(),
                    String.valueOf(still.still()));
        }
    }

    /** This node can't go on as a member, and will not. */
    public void end(String why) {
        ended = why;
    }

    /**
     * Why this node can't do its part, as what follows its name in a sentence; {@code null} if it can, as far as is
     * known.
     */
    public @Nullable String standstill() {
        if (ended != null) {
            return ended;
        }
        String still = found;
        if (still != null) {
            return still;
        }
        long late = System.nanoTime() - lookedNanos;
        return late > LATE_NANOS && !stopped
                ? "has made no progress with watching its threads for " + TimeUnit.NANOSECONDS.toSeconds(late) + " s"
                : null;
    }

    public void stop() {
        stopped = true;
    }
}
