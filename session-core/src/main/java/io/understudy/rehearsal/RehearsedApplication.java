package io.understudy.rehearsal;

import io.understudy.audit.AuditEvent;
import io.understudy.audit.AuditRing;
import io.understudy.codec.AttributeCodec;
import io.understudy.replica.SessionReplica;
import io.understudy.store.ReplicaStore;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An application whose sessions a node rehearses to take over, from its deployment to its undeployment.
 *
 * <p>Threads: any.
 */
public final class RehearsedApplication {

    /** Most sessions with a known outcome: they take 16 MB. Further ones are not rehearsed. */
    private static final int MAX_SESSIONS = 1 << 19;

    /**
     * All that refers to the application's classes and sessions. A round that does not return keeps its list of
     * applications, so an application lets go of this when it is undeployed.
     *
     * @param sessions used by one round at a time
     */
    record Deployment(
            BooleanSupplier vouches,
            AttributeCodec codec,
            Supplier<ClassLoader> loader,
            ReplicaStore store,
            AuditRing audit,
            Predicate<SessionReplica> others,
            Predicate<String> leftOut,
            RehearsedSessions sessions) {

        boolean ofOthers(SessionReplica replica) {
            return replica.live() && others.test(replica);
        }
    }

    private final String label;
    private final RehearsalFailures failures;
    private volatile @Nullable Deployment deployment;
    private volatile RehearsalEstimate estimate = RehearsalEstimate.NOTHING;

    /**
     * @param label of the application on its node
     * @param vouches whether this node holds all sessions, as far as it knows: else it does not know their owners
     * @param codec only rehearsals use it
     * @param others whether another member owns a live session
     * @param leftOut the attributes that are not rehearsed, by name
     */
    public RehearsedApplication(
            String label,
            BooleanSupplier vouches,
            AttributeCodec codec,
            Supplier<ClassLoader> loader,
            ReplicaStore store,
            AuditRing audit,
            Predicate<SessionReplica> others,
            Predicate<String> leftOut) {
        this.label = label;
        this.failures = new RehearsalFailures(label);
        this.deployment = new Deployment(
                vouches, codec, loader, store, audit, others, leftOut, new RehearsedSessions(MAX_SESSIONS));
    }

    String label() {
        return label;
    }

    /** {@code null} once the application is undeployed. */
    @Nullable
    Deployment deployment() {
        return deployment;
    }

    RehearsalFailures failures() {
        return failures;
    }

    /** Notes the outcome of a rehearsal. The audit gets an entry for a session that is remembered from now on. */
    void found(SessionReplica replica, List<RehearsalFailure> found, RehearsalServices services) {
        Deployment now = deployment;
        if (failures.found(replica.key(), found, services.time().monotonicMillis()) && now != null) {
            now.audit()
                    .add(
                            services.time().wallMillis(),
                            replica.id(),
                            replica.key(),
                            AuditEvent.NOT_SURVIVING,
                            services.node());
        }
    }

    /** The application is undeployed. Does not wait for a value that is being decoded. */
    public void leave() {
        deployment = null;
    }

    boolean gone() {
        return deployment == null;
    }

    /** False also if it is gone. */
    boolean vouches() {
        Deployment now = deployment;
        return now != null && now.vouches().getAsBoolean();
    }

    RehearsalEstimate estimate() {
        return estimate;
    }

    void estimate(RehearsalEstimate now) {
        estimate = now;
    }
}
