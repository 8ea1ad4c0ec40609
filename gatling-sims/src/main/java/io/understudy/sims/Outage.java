package io.understudy.sims;

import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the cluster while the clients write: the node that answers most is killed and started again, as often
 * as asked for. Every wait ends at a deadline, and then the outage has failed.
 *
 * <p>Threads: {@link #run} in one of its own, the rest any.
 */
final class Outage implements Runnable {

    /** How long all clients may take to log in, beyond their ramp, in milliseconds. */
    private static final long LOG_IN_MILLIS = 60_000;

    /** How long clients may take to write beyond the time that they are given, in milliseconds. */
    private static final long WRITE_MILLIS = 30_000;

    /** How long a started node may take until it is ready, in milliseconds. */
    private static final long READY_MILLIS = 120_000;

    private static final long POLL_MILLIS = 20;

    private final Settings settings;
    private final Cluster cluster;
    private final Tally tally;
    private final long began = System.nanoTime();
    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private volatile long acknowledgedBeforeKill;
    private volatile int kills;
    private volatile boolean over;
    private volatile @Nullable String failure;

    Outage(Settings settings, Cluster cluster, Tally tally) {
        this.settings = settings;
        this.cluster = cluster;
        this.tally = tally;
    }

    /** Whether the clients may stop writing. */
    boolean over() {
        return over;
    }

    /** Whether every node was killed, came back and got ready as asked for, while clients went on writing. */
    boolean succeeded() {
        return over
                && failure == null
                && kills == settings.kills()
                && tally.acknowledgedWrites() > acknowledgedBeforeKill
                && acknowledgedBeforeKill > 0;
    }

    /** What happened when, one line each. */
    List<String> events() {
        return List.copyOf(events);
    }

    @Override
    public void run() {
        try {
            await(
                    "all " + settings.sessions() + " clients are logged in",
                    settings.rampSeconds() * 1_000L + LOG_IN_MILLIS,
                    () -> tally.sessions() >= settings.sessions());
            Thread.sleep(settings.seconds() * 1_000L);
            await("a write is acknowledged", WRITE_MILLIS, () -> tally.acknowledgedWrites() > 0);
            acknowledgedBeforeKill = tally.acknowledgedWrites();
            Map<String, Long> before = Map.of();
            for (int i = 0; i < settings.kills(); i++) {
                Map<String, Long> now = tally.answersByNode();
                killAndStart(busiest(before, now));
                kills = i + 1;
                before = now;
            }
            Thread.sleep(settings.seconds() * 1_000L);
            await(
                    "a write is acknowledged after the kills",
                    WRITE_MILLIS,
                    () -> tally.acknowledgedWrites() > acknowledgedBeforeKill);
            note("clients stop writing");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail("interrupted");
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()));
        } finally {
            over = true;
        }
    }

    private void killAndStart(String victim) throws IOException, InterruptedException {
        note("SIGKILL to " + victim + ", which answered most; " + tally.acknowledgedWrites()
                + " writes are acknowledged");
        cluster.kill(victim);
        if (cluster.node(victim).ready()) {
            throw new IOException(victim + " is still ready after it was killed");
        }
        Thread.sleep(settings.absent() * 1_000L);
        cluster.start(victim);
        note(victim + " is started again; " + tally.acknowledgedWrites() + " writes are acknowledged");
        await(victim + " is ready", READY_MILLIS, () -> ready(victim));
    }

    private boolean ready(String name) {
        try {
            return cluster.node(name).ready();
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void await(String what, long millis, BooleanSupplier condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() >= deadline) {
                throw new IOException("not within " + millis / 1_000 + " s: " + what);
            }
            Thread.sleep(POLL_MILLIS);
        }
        note(what);
    }

    private String busiest(Map<String, Long> before, Map<String, Long> now) throws IOException {
        Map<String, Long> since = new LinkedHashMap<>();
        now.forEach((node, count) -> since.put(node, count - before.getOrDefault(node, 0L)));
        return since.entrySet().stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .orElseThrow(() -> new IOException("no node answered anything: there is none to kill"))
                .getKey();
    }

    private void fail(String why) {
        failure = why;
        note("FAILED: " + why);
    }

    private void note(String event) {
        events.add(String.format("%7.1f s  %s", (System.nanoTime() - began) / 1e9, event));
    }
}
