package io.understudy.network.stack;

import io.understudy.threads.Failures;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jgroups.protocols.TP;
import org.jgroups.util.TimeScheduler3;

/**
 * Where a channel's timer runs its tasks: in the transport's threads. If none can be made, for want of memory or of
 * threads, the timer's own thread runs the task. JGroups would drop it, and a regular task, such as the retransmission
 * of messages, would never run again.
 *
 * <p>Threads: the timer's, and those that schedule a task without a delay.
 */
record TimerPool(TP transport, Failures failures) implements Executor {

    /** For a transport that is initialised and not started. */
    static void use(TP transport, Failures failures) {
        if (transport.getTimer() instanceof TimeScheduler3 timer) {
            timer.setThreadPool(new TimerPool(transport, failures));
        }
    }

    @Override
    public void execute(Runnable task) {
        Executor threads = transport.getThreadPool().getThreadPool();
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            throw e; // The timer makes a thread for it.
        } catch (Throwable e) {
            failures.report("running a task of JGroups' timer in a thread of its own", e);
            task.run();
        }
    }
}
