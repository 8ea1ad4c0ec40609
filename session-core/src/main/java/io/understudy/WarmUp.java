package io.understudy;

import io.understudy.config.UnderstudyConfig;
import io.understudy.session.requests.RequestsInFlight;
import io.understudy.threads.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Rehearses requests in a cluster of its own while a node starts, so that the JVM has compiled their code when the first
 * request comes. The rehearsal ends after {@code warmUp}, when it has rehearsed enough, when a request uses a session of
 * the node, and when the node is closed.
 *
 * <p>Threads: any. The rehearsal has a thread of its own.
 */
final class WarmUp implements AutoCloseable {

    private static final Logger LOG = System.getLogger(WarmUp.class.getName());

    /** Longest time, in milliseconds, that closing waits for the rehearsal's end. */
    private static final long CLOSE_MILLIS = 10_000;

    /** What is rehearsed, as long as it may go on. */
    @FunctionalInterface
    interface Work {

        /** @return how many requests were rehearsed */
        int run(UnderstudyConfig config, BooleanSupplier goesOn) throws Exception;
    }

    private final UnderstudyConfig config;
    private final RequestsInFlight requests;
    private final Work work;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean stopped;
    private volatile boolean over;
    private volatile long endNanos;
    private volatile @Nullable Thread thread;

    /** @param requests of the node */
    WarmUp(UnderstudyConfig config, RequestsInFlight requests, Work work) {
        this.config = config;
        this.requests = requests;
        this.work = work;
        this.over = config.warmUp().isZero();
    }

    /** Begins the rehearsal, once. Throws nothing: a node that can't rehearse serves all the same. */
    void begin() {
        if (over || stopped || begun.get()) {
            return;
        }
        endNanos = System.nanoTime() + config.warmUp().toNanos(); // Before others see that it has begun.
        if (begun.getAndSet(true)) {
            return;
        }
        try {
            Thread started = DaemonThreads.of("understudy-" + config.nodeName() + "-warm-up", this::run);
            thread = started;
            started.start();
        } catch (Throwable e) {
            failed(e);
            over = true;
        }
    }

    /** Whether the node is not ready for this reason; not after {@code warmUp}, whatever the rehearsal does. */
    boolean underWay() {
        return begun.get() && goesOn();
    }

    private boolean goesOn() {
        return !over && !stopped && endNanos - System.nanoTime() > 0 && requests.begun() == 0;
    }

    private void run() {
        try {
            long began = System.nanoTime();
            int rehearsed = work.run(config, this::goesOn);
            LOG.log(
                    Level.INFO,
                    "{0} - warmed up: {1} requests rehearsed in {2} ms",
                    config.nodeName(),
                    rehearsed,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        } catch (Throwable e) {
            if (!stopped) {
                failed(e);
            }
        } finally {
            over = true;
        }
    }

    private void failed(Throwable e) {
        try {
            LOG.log(
                    Level.WARNING,
                    config.nodeName() + " - the warm-up failed: the node is ready, its first requests take longer",
                    e);
        } catch (Throwable again) {
            over = true; // There is no memory to tell of it.
        }
    }

    /** Ends the rehearsal and waits until its members are closed, 10 seconds at most. */
    @Override
    public void close() {
        stopped = true;
        Thread running = thread;
        if (running != null) {
            try {
                TimeUnit.MILLISECONDS.timedJoin(running, CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
