package io.understudy.threads;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong in threads that have to go on all the same, whatever was thrown. A heap that is full for a moment, or
 * a class that is missing, must not end what the whole node depends on. Each failure is counted, and each cause logged
 * once.
 *
 * <p>Nothing here throws. Threads: any.
 */
public final class Failures {

    private static final Logger LOG = System.getLogger(Failures.class.getName());

    /** How often {@link #insist} runs a task at most. */
    public static final int TRIES = 3;

    /** Causes that are told apart; more than a node that is worth running has. */
    private static final int MAX_CAUSES = 256;

    private final String node;
    private final ReplicationMetrics metrics;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** @param node its name in logs */
    public Failures(String node, ReplicationMetrics metrics) {
        this.node = node;
        this.metrics = metrics;
    }

    /**
     * Takes note of a failure that its thread goes on after.
     *
     * @param what could not be done, for the log
     */
    public void report(String what, Throwable cause) {
        count(Counter.FAILURES_SURVIVED);
        String told = null;
        try {
            String key = what + ' ' + cause.getClass().getName() + ' ' + place(cause);
            if (logged.size() < MAX_CAUSES && logged.add(key)) {
                told = key;
                LOG.log(
                        Level.ERROR,
                        node + " - failed: " + what
                                + ". The node continues; further failures with this cause are counted, but not logged",
                        cause);
            }
        } catch (Throwable again) {
            forget(told); // It was counted; when it fails again there may be memory to tell of it.
        }
    }

    private void forget(@Nullable String told) {
        try {
            if (told != null) {
                logged.remove(told);
            }
        } catch (Throwable again) {
            count(Counter.FAILURES_SURVIVED);
        }
    }

    private void count(Counter counter) {
        try {
            metrics.count(counter);
        } catch (Throwable again) {
            return; // A counter without memory for a second cell of its sum: one failure is missing from it.
        }
    }

    private static String place(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        return trace.length == 0 ? "" : trace[0].toString();
    }

    /** Runs a task; what it throws is reported. */
    public void run(String what, Runnable task) {
        boolean unused = attempt(what, task);
    }

    /** The same. @return whether the task came to its end */
    public boolean attempt(String what, Runnable task) {
        try {
            task.run();
            return true;
        } catch (Throwable e) {
            report(what, e);
            return false;
        }
    }

    /**
     * The same for a task that nothing repeats later: if it throws it is run again, at once, {@value TRIES} times in all.
     *
     * @param task may be run again after it was done in part
     * @return whether it came to its end at last
     */
    public boolean insist(String what, Runnable task) {
        boolean done = false;
        for (int tries = 0; !done && tries < TRIES; tries++) {
            done = attempt(what, task);
        }
        return done;
    }

    /** The task, which throws nothing any more: executors forget what their tasks throw, and never run a regular one again. */
    public Runnable survived(String what, Runnable task) {
        return () -> run(what, task);
    }
}
