package io.understudy.rehearsal;

import io.understudy.metrics.Counter;
import io.understudy.rehearsal.RehearsedApplication.Deployment;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import io.understudy.store.StoredReplica;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One round of rehearsals: looks at sessions of each application, from a random one on, and rehearses those that were
 * not rehearsed as they are now, until the budget or the time of the round is used up.
 *
 * <p>Threads: {@link #run} has one of its own, which ends with the round: classes of applications leave thread locals
 * behind. No lock is held while they run. The other methods: any.
 */
final class RehearsalRound implements Runnable {

    /** A round begins no value after this time, in milliseconds. */
    static final long LONGEST_MILLIS = 5000;

    /** Live sessions of each application that a round looks at. */
    static final int MOST_SEEN = 2000;

    /** The same with tombstones. */
    static final int MOST_ENTRIES = 50_000;

    private static final int BATCH = 100;

    static final String STUCK_TEXT = "decoding did not return within " + TakeOverRehearsal.STUCK_MILLIS / 1000 + " s";

    /**
     * A value that is being decoded.
     *
     * @param begunMillis by the monotonic clock
     */
    record Attempt(RehearsedApplication application, SessionReplica session, String attribute, long begunMillis) {}

    private final RehearsalServices services;
    private final List<RehearsedApplication> applications;
    private final long begun;
    private final AtomicReference<@Nullable Attempt> attempt = new AtomicReference<>();

    /** Processor time of this thread that the budget has paid for. */
    private long settled;

    /** The attempt that was reported as stuck. */
    private volatile @Nullable Attempt stuck;

    /** From now on nothing is noted: another round may be at work. */
    private volatile boolean abandoned;

    private volatile boolean over;

    /** @param applications in the order of their turns */
    RehearsalRound(RehearsalServices services, List<RehearsedApplication> applications) {
        this.services = services;
        this.applications = applications;
        this.begun = services.time().monotonicMillis();
    }

    @Override
    public void run() {
        settled = services.processorNanos().getAsLong();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            for (RehearsedApplication application : applications) {
                Deployment deployment = application.deployment();
                if (deployment != null && goesOn(application)) {
                    look(application, deployment);
                }
            }
        } catch (Throwable e) { // Nobody else catches what the thread throws.
            services.survived().accept("rehearsing to take over sessions", e);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            settle();
            over = true;
        }
    }

    private void settle() {
        long now = services.processorNanos().getAsLong();
        services.budget().spend(now - settled);
        settled = now;
    }

    private void look(RehearsedApplication application, Deployment deployment) {
        deployment.sessions().beginRound();
        again(application, deployment);
        RehearsalEstimate estimate = new RehearsalEstimate();
        boolean sawAll = walk(application, deployment, estimate);
        if (!goesOn(application)) {
            return;
        }
        application.failures().endOfRound(services.time().monotonicMillis());
        long shared = deployment.store().liveCount() - deployment.store().unsharedCount();
        if (estimate.complete(sawAll, shared, application.failures().remembered())) {
            application.estimate(estimate);
        }
        settle();
    }

    /**
     * The sessions that failed come first, so that an end is noticed. One of them is rehearsed even if it has not
     * changed: what was in the way may be gone, as a lack of memory.
     */
    private void again(RehearsedApplication application, Deployment deployment) {
        List<SessionKey> sessions = new ArrayList<>(application.failures().sessions());
        int anew = sessions.isEmpty() ? -1 : services.random().nextInt(sessions.size());
        for (int i = 0; i < sessions.size() && goesOn(application); i++) {
            StoredReplica stored = deployment.store().header(sessions.get(i));
            if (stored == null || !deployment.ofOthers(stored.replica())) {
                if (goesOn(application)) {
                    application.failures().forget(sessions.get(i));
                }
            } else if (!stored.spilled()
                    && outcome(application, deployment, stored.replica(), i == anew) == RehearsalReason.NONE) {
                application.failures().forget(sessions.get(i)); // A tick may have reported it as it returned.
            }
        }
    }

    /**
     * Looks at sessions in the order of their keys, from a random one on.
     *
     * @return whether it saw all
     */
    private boolean walk(RehearsedApplication application, Deployment deployment, RehearsalEstimate estimate) {
        SessionKey first = new SessionKey(services.random().nextLong());
        @Nullable SessionKey last = first;
        boolean wrapped = false;
        int live = 0;
        for (int entries = 0; entries < MOST_ENTRIES; entries += BATCH) {
            List<StoredReplica> batch = deployment.store().shared(last, BATCH);
            for (StoredReplica stored : batch) {
                SessionKey key = stored.replica().key();
                last = key;
                if (!goesOn(application)) {
                    return false;
                } else if (wrapped && key.compareTo(first) > 0) {
                    return true;
                } else if (live == MOST_SEEN) {
                    return false;
                }
                live += see(application, deployment, estimate, stored) ? 1 : 0;
            }
            settle();
            if (batch.size() < BATCH) {
                if (wrapped) {
                    return true;
                }
                wrapped = true;
                last = null;
            }
        }
        return false;
    }

    /** @return whether the session is live */
    private boolean see(
            RehearsedApplication application, Deployment deployment, RehearsalEstimate estimate, StoredReplica stored) {
        SessionReplica replica = stored.replica();
        if (!replica.live()) {
            return false;
        }
        if (!deployment.ofOthers(replica)) {
            estimate.own();
            return true;
        }
        int outcome = stored.spilled() ? RehearsedSessions.UNKNOWN : outcome(application, deployment, replica, false);
        if (outcome == RehearsedSessions.UNKNOWN) {
            estimate.unknown();
        } else {
            estimate.known(outcome);
        }
        return true;
    }

    /**
     * The outcome of a session as it is. Rehearses it if the outcome is not known and the budget lasts.
     *
     * @param anew whether it is rehearsed even if the outcome is known
     * @return {@link RehearsedSessions#UNKNOWN} if it was not rehearsed as it is
     */
    private int outcome(RehearsedApplication application, Deployment deployment, SessionReplica replica, boolean anew) {
        RehearsedSessions sessions = deployment.sessions();
        SessionKey key = replica.key();
        long digest = replica.hashed();
        int known = sessions.outcome(key, digest);
        boolean due = known == RehearsedSessions.UNKNOWN
                || (RehearsalReason.passing(known)
                        && (anew || application.failures().lacks(RehearsalReason.numbered(known))));
        if (!due || !mayRehearse() || !sessions.hasRoomFor(key, held -> holds(deployment, held))) {
            return known;
        }
        List<RehearsalFailure> failures = rehearse(application, deployment, replica);
        if (failures == null) {
            return RehearsedSessions.UNKNOWN;
        }
        application.found(replica, failures, services);
        int outcome = failures.stream()
                .mapToInt(failure -> failure.reason().number())
                .min()
                .orElse(RehearsalReason.NONE);
        if (outcome == RehearsalReason.NONE && known != RehearsedSessions.UNKNOWN) {
            sessions.forget(RehearsalReason::passing); // What was in its way may be in no other one's.
        }
        sessions.note(key, digest, outcome);
        return outcome;
    }

    /** False also if the node stood still meanwhile: what was found before stays until it vouches again. */
    private boolean goesOn(RehearsedApplication application) {
        return !abandoned && application.vouches();
    }

    private boolean mayRehearse() {
        return services.budget().left() && services.time().monotonicMillis() - begun < LONGEST_MILLIS;
    }

    private static boolean holds(Deployment deployment, SessionKey key) {
        StoredReplica stored = deployment.store().header(key);
        return stored != null && deployment.ofOthers(stored.replica());
    }

    /** All attributes of a session, even if the budget does not last; {@code null} if the round does not go on. */
    private @Nullable List<RehearsalFailure> rehearse(
            RehearsedApplication application, Deployment deployment, SessionReplica replica) {
        List<RehearsalFailure> failures = new ArrayList<>();
        for (Map.Entry<String, StampedBytes> attribute : new TreeMap<>(replica.attributes()).entrySet()) {
            String name = attribute.getKey();
            byte[] bytes = attribute.getValue().bytes();
            if (bytes == null || deployment.leftOut().test(name)) {
                continue;
            }
            Attempt now =
                    new Attempt(application, replica, name, services.time().monotonicMillis());
            failures.addAll(rehearse(now, deployment, bytes));
            if (!goesOn(application)) {
                return null;
            }
        }
        return failures;
    }

    private List<RehearsalFailure> rehearse(Attempt now, Deployment deployment, byte[] bytes) {
        services.metrics().count(Counter.REHEARSALS);
        attempt.set(now);
        Thread.currentThread().setContextClassLoader(deployment.loader().get()); // The last value may have set another.
        List<RehearsalFailure> failures = RehearsalFailure.rehearse(deployment.codec(), now.attribute(), bytes);
        Thread.interrupted(); // The value may have interrupted its thread; the next one is to wait if it has to.
        settle();
        if (!attempt.compareAndSet(now, null)) {
            return List.of(); // The round was left to this thread.
        }
        if (now.equals(stuck)) {
            return List.of(new RehearsalFailure(RehearsalReason.STUCK, now.attribute(), STUCK_TEXT));
        }
        if (!failures.isEmpty()) {
            services.metrics().count(failures.get(0).reason().counter());
        }
        return failures;
    }

    /** Whether it has ended. */
    boolean over() {
        return over;
    }

    /** The value that is being decoded; {@code null} if none is. */
    @Nullable
    Attempt attempt() {
        return attempt.get();
    }

    /** This attempt was reported as stuck. If it returns that is its outcome. */
    void stuck(Attempt reported) {
        stuck = reported;
    }

    /**
     * Leaves the round to its thread if that decodes this value.
     *
     * @return whether it is left: it notes nothing when it returns
     */
    boolean leave(Attempt busy) {
        if (!busy.equals(attempt.get())) {
            return false;
        }
        abandoned = true; // First: the thread looks here when it has lost its attempt.
        return attempt.compareAndSet(busy, null); // If not it returned at this moment, and ends by itself.
    }

    /** Ends the round as soon as its thread looks. */
    void abandon() {
        abandoned = true;
    }
}
