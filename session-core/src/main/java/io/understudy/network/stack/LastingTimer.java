package io.understudy.network.stack;

import io.understudy.threads.Failures;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jgroups.protocols.TP;
import org.jgroups.util.TimeScheduler;
import org.jgroups.util.TimeScheduler3;
import org.jspecify.annotations.Nullable;

/**
 * A channel's timer, which runs its tasks in the transport's threads. It keeps what JGroups' timer drops, so that a regular
 * task, such as the retransmission of messages, would never run again:
 *
 * <ul>
 * <li>a task that no thread can be made for, for want of memory or of threads: the timer's own thread runs it;
 * <li>a regular task that throws while the log throws, too, as both do without memory.
 * </ul>
 *
 * <p>Threads: any.
 */
final class LastingTimer extends TimeScheduler3 {

    /** JGroups' name of a field of a transport, for which it has no method. */
    private static final String IN_ITS_THREAD = "timer_handle_non_blocking_tasks";

    private final Failures failures;

    private LastingTimer(TP transport, Failures failures) {
        super(transport.getThreadPool(), transport.getThreadFactory(), false);
        this.failures = failures;
    }

    /** For a transport that is not initialised yet: it would make another one then. */
    static void use(TP transport, Failures failures) {
        transport.setTimer(new LastingTimer(transport, failures));
    }

    /** For a transport that is initialised and not started. */
    static void finish(TP transport) {
        if (transport.getTimer() instanceof LastingTimer timer) {
            timer.timer_thread_factory = transport.getThreadFactory();
            timer.setNonBlockingTaskHandling(Boolean.TRUE.equals(transport.getValue(IN_ITS_THREAD)));
        }
    }

    @Override
    protected Future<?> scheduleRecurring(
            Runnable work, TaskType type, long initialDelay, long delay, TimeUnit unit, boolean canBlock) {
        Survived survived = work instanceof TimeScheduler.Task next
                ? new SurvivedAtIntervals(next, failures)
                : new Survived(work, failures);
        return super.scheduleRecurring(survived, type, initialDelay, delay, unit, canBlock);
    }

    @Override
    protected void submitToPool(Task task) {
        try {
            super.submitToPool(task);
        } catch (Throwable e) {
            failures.report("running a task of JGroups' timer in a thread of its own", e);
            task.run(); // None that throws has been run, or one that is not regular: that does nothing again.
        }
    }

    /** A regular task adds itself again after each run. */
    @Override
    protected @Nullable Task add(Task task) {
        for (int tries = 1; tries < Failures.TRIES; tries++) {
            try {
                return super.add(task);
            } catch (Throwable e) {
                failures.report("keeping a task of JGroups' timer", e);
            }
        }
        return super.add(task);
    }

    /** What JGroups' timer gets of a regular task. */
    private static class Survived implements Runnable {

        private final Runnable task;
        private final Failures failures;

        Survived(Runnable task, Failures failures) {
            this.task = task;
            this.failures = failures;
        }

        @Override
        public void run() {
            failures.run("running a regular task of JGroups", task);
        }

        @Override
        public String toString() {
            return task.toString();
        }
    }

    /** The same of one that says itself when it runs next. */
    private static final class SurvivedAtIntervals extends Survived implements TimeScheduler.Task {

        private final TimeScheduler.Task task;
        private final Failures failures;

        /** The last one that the task gave, in milliseconds. */
        private volatile long interval;

        SurvivedAtIntervals(TimeScheduler.Task task, Failures failures) {
            super(task, failures);
            this.task = task;
            this.failures = failures;
        }

        /** The one before, if the task throws. */
        @Override
        public long nextInterval() {
            failures.run("finding when a regular task of JGroups runs next", () -> interval = task.nextInterval());
            return interval;
        }
    }
}
