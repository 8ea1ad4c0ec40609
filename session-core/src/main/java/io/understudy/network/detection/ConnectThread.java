package io.understudy.network.detection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jgroups.util.ThreadFactory;

/**
 * The thread that connects to the next member. It tries again as long as there is no connection, less and less often,
 * and in the end every 16 s.
 *
 * <p>Threads: any.
 */
final class ConnectThread {

    /**
     * How long a view waits, in milliseconds; members that are well are connected by then. Members take over a view one after
     * the other: if each goes on when it is connected, no two make connections to each other at the same moment, of which one
     * is closed, and the question in it is lost.
     */
    private static final long WAIT_MILLIS = 200;

    /** When a member that gave no answer is asked again, in milliseconds; then after twice the time, and so on. */
    private static final long AGAIN_MILLIS = 1000;

    /** A member that gave none after so many times that long is out of reach of these connections. */
    private static final long LAST = 16;

    /** What is done in this thread. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** What connects. */
    interface Connector {

        /** Whether there should be a connection, and is none. */
        boolean unconnected();

        /** Connects to the next member. */
        void connectAgain() throws Exception;

        /** There was no connection at the fifth attempt either, or at a later one. */
        void outOfReach();

        /** Work threw this; only heartbeats watch the next member until the next view. */
        void failed(Throwable why);
    }

    private final Connector connector;
    private final ScheduledExecutorService thread;
    private final long againMillis;

    /** The next attempt: with each view they begin anew. */
    @GuardedBy("this")
    private Future<?> next = CompletableFuture.completedFuture(null);

    ConnectThread(ThreadFactory threads, Connector connector) {
        this(threads, connector, AGAIN_MILLIS);
    }

    /** @param againMillis until the second attempt; the time doubles, up to 16 times that long */
    ConnectThread(ThreadFactory threads, Connector connector, long againMillis) {
        this.connector = connector;
        this.againMillis = againMillis;
        this.thread = new ScheduledThreadPoolExecutor(1, threads, new DiscardPolicy());
    }

    void stop() {
        thread.shutdownNow();
    }

    /** Does the work of a view, and returns when it is done, or soon. */
    void view(Work work) {
        awaitShortly(thread.submit(() -> connectThenAgain(work, againMillis)));
    }

    private static void awaitShortly(Future<?> connected) {
        try {
            connected.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            return; // The view goes on without it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does some work once. */
    void execute(Work work) {
        thread.execute(() -> connect(work));
    }

    /** Tries again in a while, if there is no connection. */
    void later() {
        again(againMillis);
    }

    /** FD_SOCK2 asks once for each view: a member that gave no answer then would be watched by heartbeats only. */
    private void again(long after) {
        if (!connector.unconnected()) {
            return;
        }
        long last = LAST * againMillis;
        if (after > last) {
            connector.outOfReach();
        }
        schedule(Math.min(after, last));
    }

    private synchronized void schedule(long after) {
        next.cancel(false);
        next = thread.schedule(
                () -> connectThenAgain(connector::connectAgain, 2 * after), after, TimeUnit.MILLISECONDS);
    }

    private void connectThenAgain(Work work, long after) {
        try {
            connect(work);
        } finally {
            again(after);
        }
    }

    private void connect(Work work) {
        try {
            work.run();
        } catch (Throwable e) {
            connector.failed(e);
        }
    }
}
