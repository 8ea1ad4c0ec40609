package io.understudy.rehearsal;

import io.understudy.codec.WireText;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.rehearsal.RehearsalRound.Attempt;
import io.understudy.replica.TimeSource;
import io.understudy.threads.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's rehearsals: four times a minute the node decodes attributes that other members wrote, outside of requests,
 * and names the sessions that it could not take over whole.
 *
 * <p>Each round has a thread of its own. If an application's class does not return from decoding, that thread is left
 * to it, and no other round begins before it returns or the application is undeployed.
 *
 * <p>Threads: any; {@link #tick} one at a time. Nothing here waits for a round, or for classes of an application.
 */
public final class TakeOverRehearsal implements AutoCloseable {

    private static final Logger LOG = System.getLogger(TakeOverRehearsal.class.getName());

    /** From one round to the next, in milliseconds. */
    static final long INTERVAL_MILLIS = 15_000;

    /** After so long, in milliseconds, decoding of a value is stuck. */
    static final long STUCK_MILLIS = 10_000;

    private final RehearsalServices services;
    private final List<RehearsedApplication> applications = new CopyOnWriteArrayList<>();
    private final BiConsumer<String, Runnable> threads;
    private long lastRound;
    private int rounds;
    private volatile @Nullable RehearsalRound round;

    /**
     * The attempt that the last tick found too old. The next tick reports it: a pause of this process makes none
     * stuck.
     */
    private @Nullable Attempt suspect;

    private volatile @Nullable Attempt stuck;
    private volatile boolean closed;

    /**
     * @param node its name
     * @param percent what all of it may cost of one processor, on average
     * @param survived takes note of a failure after which all goes on
     */
    public TakeOverRehearsal(
            String node,
            double percent,
            TimeSource time,
            ReplicationMetrics metrics,
            BiConsumer<String, Throwable> survived) {
        this(
                node,
                percent,
                time,
                metrics,
                survived,
                processorNanos(),
                (name, task) -> DaemonThreads.of(name, task).start());
    }

    /**
     * @param processorNanos what the calling thread has used of a processor
     * @param threads begin a thread with this name, for this task
     */
    TakeOverRehearsal(
            String node,
            double percent,
            TimeSource time,
            ReplicationMetrics metrics,
            BiConsumer<String, Throwable> survived,
            LongSupplier processorNanos,
            BiConsumer<String, Runnable> threads) {
        long now = time.monotonicMillis();
        this.services = new RehearsalServices(
                node,
                time,
                metrics,
                new RehearsalBudget(percent, now),
                processorNanos,
                new SplittableRandom(),
                survived);
        this.threads = threads;
        this.lastRound = now;
    }

    /** Where the JVM does not tell the processor time of threads, all the time counts. */
    private static LongSupplier processorNanos() {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        return bean.isCurrentThreadCpuTimeSupported() && bean.isThreadCpuTimeEnabled()
                ? bean::getCurrentThreadCpuTime
                : System::nanoTime;
    }

    public void add(RehearsedApplication application) {
        applications.add(application);
    }

    /** The application is undeployed. Does not wait for a value of it that is being decoded. */
    public void remove(RehearsedApplication application) {
        application.leave();
        applications.remove(application);
    }

    /** To be called about once in a second: begins a round if it is time, and looks whether the last one gets on. */
    public void tick() {
        if (closed) {
            return;
        }
        long now = services.time().monotonicMillis();
        RehearsalRound running = round;
        if (running != null && !running.over() && !left(running)) {
            watch(running, now);
            return;
        }
        getsOn();
        round = null;
        suspect = null;
        if (now - lastRound >= INTERVAL_MILLIS) {
            lastRound = now;
            services.budget().earn(now);
            begin();
        }
    }

    /** Whether a round is left to its thread: it is in the middle of a value of an application that is gone. */
    private static boolean left(RehearsalRound running) {
        Attempt attempt = running.attempt();
        return attempt != null && attempt.application().gone() && running.leave(attempt);
    }

    private void watch(RehearsalRound running, long now) {
        Attempt attempt = running.attempt();
        if (!Objects.equals(attempt, stuck)) {
            getsOn();
        }
        if (attempt == null || stuck != null || now - attempt.begunMillis() < STUCK_MILLIS) {
            return;
        }
        if (!attempt.equals(suspect)) {
            suspect = attempt;
            return;
        }
        running.stuck(attempt);
        services.metrics().count(Counter.REHEARSALS_STUCK);
        attempt.application()
                .found(
                        attempt.session(),
                        List.of(new RehearsalFailure(
                                RehearsalReason.STUCK, attempt.attribute(), RehearsalRound.STUCK_TEXT)),
                        services);
        stuck = attempt; // Last: a reader of this finds all the rest.
    }

    private void getsOn() {
        Attempt before = stuck;
        if (before != null) {
            stuck = null;
            LOG.log(
                    Level.INFO,
                    "{0} - take-over rehearsal: goes on after attribute ''{1}''",
                    before.application().label(),
                    WireText.shown(before.attribute()));
        }
    }

    private void begin() {
        if (applications.isEmpty() || !services.budget().left()) {
            return;
        }
        List<RehearsedApplication> turns = new ArrayList<>(applications);
        Collections.rotate(turns, rounds++ % turns.size());
        RehearsalRound next = new RehearsalRound(services, turns);
        boolean begun = false;
        round = next;
        if (closed) {
            next.abandon(); // close() may have looked before.
        }
        try {
            threads.accept("understudy-" + services.node() + "-rehearsal", next);
            begun = true;
        } finally {
            if (!begun) {
                round = null; // The system gives no more threads now.
            }
        }
    }

    /** How many sessions of other members this node could not take over, by reason: an estimate, if there are many. */
    public Map<RehearsalReason, Long> failing() {
        Map<RehearsalReason, Long> failing = new EnumMap<>(RehearsalReason.class);
        for (RehearsalReason reason : RehearsalReason.values()) {
            failing.put(reason, failing(reason));
        }
        return failing;
    }

    /** The same for one reason. */
    public long failing(RehearsalReason reason) {
        long sum = 0;
        for (RehearsedApplication application : applications) {
            sum += application.estimate().failing(reason);
        }
        return reason == RehearsalReason.STUCK && stuck != null ? Math.max(1, sum) : sum;
    }

    /** Whether rounds go on. */
    public boolean healthy() {
        return stuck == null;
    }

    /** Failing sessions in words, for the text of the readiness; {@code null} if there are none. Does not wait. */
    public @Nullable String complaint() {
        Attempt now = stuck;
        StringBuilder text = new StringBuilder();
        failing().forEach((reason, sessions) -> {
            if (sessions > 0) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(sessions)
                        .append(' ')
                        .append(reason.key());
            }
        });
        if (now != null) {
            return "take-over rehearsal stands still in attribute '" + WireText.shown(now.attribute()) + "' of "
                    + now.application().label() + "; sessions that would not survive here: " + text;
        }
        return text.isEmpty() ? null : "sessions that would not survive here: " + text;
    }

    /** Why sessions would not survive here, a line for each cause. */
    public List<String> failures() {
        return applications.stream()
                .flatMap(application -> application.failures().lines().stream())
                .toList();
    }

    /** Begins no more rounds. Does not wait for the last one. */
    @Override
    public void close() {
        closed = true;
        RehearsalRound running = round;
        if (running != null) {
            running.abandon();
        }
    }
}
