package io.understudy.cluster;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.cluster.delivery.AtRisk;
import io.understudy.cluster.delivery.DeltaSize;
import io.understudy.cluster.delivery.Outbox;
import io.understudy.cluster.delivery.PendingAck;
import io.understudy.cluster.expiry.ExpiryAudit;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.config.session.Acks;
import io.understudy.replica.SessionDelta;
import io.understudy.store.StoredReplica;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame.Update;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The changes that this member makes: merges each and gives it its place among those that are sent. If that fails after the
 * merge, the change is left here, at risk, until {@link #sendLeft} has given it a place: an ended session has no next change
 * that could carry it.
 *
 * <p>Threads: any; none waits.
 */
final class OwnChanges {

    /** Made before the merge: to be left afterwards it needs no memory. */
    private static final class Change {
        private final SessionDelta delta;
        private final Acks acks;
        private int bytes;

        /** {@code null} if there was no memory to count it. */
        private AtRisk.@Nullable Session risk;

        /** The one that was left before. */
        private @Nullable Change before;

        Change(SessionDelta delta, Acks acks) {
            this.delta = delta;
            this.acks = acks;
        }
    }

    private final LocalApplication application;
    private final DeltaReceiver incoming;
    private final ExpiryAudit audit;
    private final Members members;
    private final Outbox outbox;
    private final AtRisk atRisk;
    private final Failures failures;

    /** The last one that was left. */
    private final AtomicReference<@Nullable Change> left = new AtomicReference<>();

    OwnChanges(
            LocalApplication application,
            DeltaReceiver incoming,
            ExpiryAudit audit,
            Members members,
            Outbox outbox,
            AtRisk atRisk,
            Failures failures) {
        this.application = application;
        this.incoming = incoming;
        this.audit = audit;
        this.members = members;
        this.outbox = outbox;
        this.atRisk = atRisk;
        this.failures = failures;
    }

    /** As {@link ApplicationGroup#prepare}. */
    PendingAck prepare(SessionDelta delta, long ageMillis, Acks acks) {
        Change change = new Change(delta, acks);
        boolean placed = false;
        try {
            audit.merged(incoming.merge(new Update(ageMillis, 0, delta)), members.self());
            CompletableFuture<AckResult> held = outbox.put(application.number(), delta, ageMillis, acks);
            placed = Outbox.placed(held);
            return new PendingAck(held, placed);
        } finally {
            if (!placed) {
                atRisk(change); // First: whoever finds it takes it from there.
                leave(change);
            }
        }
    }

    /** A request waits until the other members have what was prepared. */
    void hurry() {
        outbox.hurry();
    }

    private void atRisk(Change change) {
        try {
            change.bytes = DeltaSize.bytes(change.delta);
            change.risk = atRisk.add(change.delta.key().value(), change.bytes);
        } catch (Throwable e) {
            failures.report("counting a change as at risk", e);
        }
    }

    private void leave(Change change) {
        Change last = left.get();
        change.before = last;
        while (!left.compareAndSet(last, change)) {
            last = left.get();
            change.before = last;
        }
    }

    /** Gives a place to each change that is left; what fails again stays. To be called now and then. */
    void sendLeft() {
        Change next = left.getAndSet(null);
        while (next != null) {
            Change change = next;
            next = change.before;
            boolean placed = false;
            try {
                placed = publish(change);
            } catch (Throwable e) {
                failures.report("sending a change that the outbox could not take; the node retries", e);
            }
            AtRisk.Session risk = change.risk;
            if (!placed) {
                leave(change);
            } else if (risk != null) {
                atRisk.remove(risk, change.bytes);
            }
        }
    }

    /** A change that was never merged is not sent: its commit failed as a whole. */
    private boolean publish(Change change) {
        SessionDelta delta = change.delta;
        StoredReplica stored = application.store().header(delta.key());
        if (stored == null || !application.store().holds(delta)) {
            return true;
        }
        long ageMillis = Math.max(0, application.now() - stored.createdAt());
        return Outbox.placed(outbox.put(application.number(), delta, ageMillis, change.acks));
    }
}
