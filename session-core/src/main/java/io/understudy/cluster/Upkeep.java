package io.understudy.cluster;

import io.understudy.cluster.delivery.Outbox;
import io.understudy.cluster.joining.Joiner;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.detection.PauseDetector;
import io.understudy.ordering.SCOPE;
import io.understudy.threads.ChannelThreads;
import io.understudy.threads.Failures;
import io.understudy.threads.Loop;
import io.understudy.threads.Watchdog;
import io.understudy.threads.Watched;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a node going: its threads, what they do now and then, and the watch over all that must not stand still.
 *
 * <p>Threads: any.
 */
final class Upkeep {

    /**
     * Looks, one in a second, after which what waits for other members stands still: a member that takes nothing leaves the view
     * before, by failure detection or, if its own threads hang, by its own watch.
     */
    private static final int PATIENCE_WITH_OTHERS = 60;

    /** Between two looks for acknowledgements that may be lost. */
    private static final Duration ASK = Duration.ofMillis(100);

    /** Looks after which timers that do nothing are begun again, and again after as many. */
    private static final int RESTART = 5;

    /** Looks after which a thread that delivers is not waited for any more: the other members wait for it. */
    static final int LAST_LOOK = 30;

    private final ChannelThreads threads;
    private final Failures failures;
    private final Watchdog watchdog;
    private final Loop watching;
    private final Duration interval;

    /** @param interval between two times that regular tasks are run */
    Upkeep(String node, ChannelThreads threads, Failures failures, ReplicationMetrics metrics, Duration interval) {
        this.threads = threads;
        this.failures = failures;
        this.interval = interval;
        this.watchdog = new Watchdog(node, metrics, failures);
        this.watching = threads.loop("watch", "checking its threads", watchdog);
    }

    /** Begins the watch, which is watched by the regular tasks. */
    void start() {
        watching.start();
        threads.every(interval, "checking the watchdog", () -> {
            if (watching.dead()) {
                watching.start();
            }
        });
    }

    /** What may wait for other members. */
    void sends(Outbox outbox) {
        Loop loop = threads.loop("outbox", "sending changes", outbox);
        begin(loop, outbox::messages, PATIENCE_WITH_OTHERS);
        watchdog.watch(new Watched("sending changes that failed", outbox::messages).whenever(outbox::failing));
    }

    /**
     * Looks for acknowledgements that may be lost, or could not be sent. Apart from what is done {@linkplain #regularly now and
     * then}, which may wait for credits of a member that takes nothing: the others are not to wait for that.
     */
    void acknowledges(Runnable look) {
        AtomicLong runs = new AtomicLong();
        threads.everyPromptly(ASK, "asking for acknowledgements", () -> {
            look.run();
            runs.incrementAndGet();
        });
        watchdog.watch(new Watched("asking for acknowledgements", runs::get)
                .patience(PATIENCE_WITH_OTHERS)
                .care(threads::rouseTimers));
    }

    void beats(PauseDetector pulse) {
        Loop loop = threads.loop("pulse", "detecting pauses", pulse);
        pulse.begin();
        begin(loop, () -> 0, Watched.PATIENCE);
    }

    void joins(LocalApplication application, Joiner joiner) {
        Loop loop = threads.loop("join", "comparing " + application.name() + " with the other members", joiner);
        begin(loop, application::progress, PATIENCE_WITH_OTHERS);
    }

    /** Begun first: one that was not begun yet would be taken for dead, and begun twice. */
    private void begin(Loop loop, LongSupplier more, int patience) {
        loop.start();
        watchdog.watch(loop, more, patience);
    }

    /** Views are taken over wholly. */
    void takesOver(SCOPE scopes, ViewInstaller views) {
        watchdog.watch(new Watched("accepting a view", () -> 0).whenever(() -> scopes.halfWay() || views.halfWay()));
    }

    /**
     * Changes of other members are delivered; who can't do that is no member.
     *
     * @param leave has this node leave, and is told why
     */
    void delivers(SCOPE scopes, Consumer<String> leave) {
        for (int i = 0; i < scopes.deliveryThreads(); i++) {
            int thread = i;
            String what = "delivering changes of other members in thread " + (thread + 1);
            watchdog.watch(new Watched(what, () -> scopes.deliverySteps(thread))
                    .whenever(() -> scopes.deliverySteps(thread) % 2 != 0)
                    .end(LAST_LOOK, () -> {
                        watchdog.end("has left the cluster, because it made no progress with " + what + ": restart it");
                        leave.accept("made no progress with " + what);
                    }));
        }
        Watched looks = new Watched("checking changes that wait", scopes::looks);
        watchdog.watch(looks.care(() -> {
            if (looks.still() % RESTART == RESTART - 1) {
                scopes.startTimers();
            }
        }));
    }

    /**
     * Runs a task about every interval, until the channel is closed.
     *
     * @param what it does, for the log
     */
    void regularly(String what, Runnable task) {
        AtomicLong runs = new AtomicLong();
        threads.every(interval, what, () -> {
            failures.run(what, task);
            runs.incrementAndGet();
        });
        watchdog.watch(new Watched(what, runs::get)
                .patience(PATIENCE_WITH_OTHERS + Math.toIntExact(interval.toSeconds()))
                .care(threads::rouseTimers));
    }

    Watchdog watchdog() {
        return watchdog;
    }

    /** Why this node can't do its part, as what follows its name in a sentence; {@code null} if it can, as far as is known. */
    @Nullable
    String standstill() {
        return watchdog.standstill();
    }

    void stop() {
        watchdog.stop();
    }
}
