package io.understudy.cluster;

import io.understudy.cluster.convergence.GapPulls;
import io.understudy.cluster.delivery.AckSender;
import io.understudy.cluster.expiry.ClusterExpiry;
import io.understudy.cluster.expiry.ExpiryAudit;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.store.Merged;
import io.understudy.threads.ChannelThreads;
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.Beginnings;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Touch;
import io.understudy.wire.Frame.Touches;
import io.understudy.wire.Frame.Update;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;

/**
 * What this member is told of an application's sessions: merged here, acknowledged, and what follows from it begun.
 *
 * <p>Threads: JGroups' and SCOPE's, asking threads, and request threads for their own changes. Nothing here waits.
 */
final class DeltaReceiver {

    private final LocalApplication application;
    private final PendingTouches uses;
    private final GapPulls gaps;
    private final ConflictRepair unions;
    private final ClusterExpiry expiry;
    private final ExpiryAudit audit;
    private final AckSender acks;
    private final HybridClock clock;
    private final ReplicationMetrics metrics;
    private final ChannelThreads threads;

    DeltaReceiver(
            LocalApplication application,
            PendingTouches uses,
            GapPulls gaps,
            ConflictRepair unions,
            ClusterExpiry expiry,
            ExpiryAudit audit,
            AckSender acks,
            HybridClock clock,
            ReplicationMetrics metrics,
            ChannelThreads threads) {
        this.application = application;
        this.uses = uses;
        this.gaps = gaps;
        this.unions = unions;
        this.expiry = expiry;
        this.audit = audit;
        this.acks = acks;
        this.clock = clock;
        this.metrics = metrics;
        this.threads = threads;
    }

    /**
     * A change of another member arrived, in its turn, or after one that may never come. It is acknowledged here, or later, unless
     * something is thrown.
     */
    void received(Address sender, ScopeHeader place, Change change) {
        long changeNumber = place.number();
        Update update = change.update();
        SessionKey key = update.delta().key();
        if (place.afterGap() && !application.joining()) { // Who joins compares every session later on.
            gaps.close(key, sender);
        }
        boolean merged = false;
        try {
            merged(sender, changeNumber, update);
            merged = true;
        } finally {
            if (!merged && !application.joining()) {
                gaps.close(key, sender); // What was thrown may be over soon.
            }
        }
    }

    private void merged(Address sender, long changeNumber, Update update) {
        Merged merged = merge(update);
        audit.merged(merged, sender);
        unions.passOn(sender, update.delta());
        boolean parked = merged.after().replica().parked();
        if (parked && !application.joining()) {
            gaps.fetchWhole(sender, changeNumber, update.delta().key());
        } else {
            acks.enqueue(sender, new Ack(changeNumber, parked));
        }
    }

    /** A large change of which parts are missing: its sender has the session. */
    void receivedInPart(Address sender, ScopeHeader place, SessionKey key) {
        if (application.joining()) {
            acks.enqueue(sender, new Ack(place.number(), true));
        } else {
            gaps.fetchWhole(sender, place.number(), key);
        }
    }

    /** Sessions came that began on another member. */
    void received(Address sender, Beginnings received) {
        received.sessions().forEach(session -> {
            mergePulled(session);
            unions.passOn(sender, session.delta());
        });
    }

    void received(Address sender, Touches received) {
        List<SessionKey> incomplete = new ArrayList<>();
        for (Touch touch : received.touches()) {
            clock.observe(touch.lastUse().time());
            if (application
                    .store()
                    .use(touch.key(), touch.lastUse(), touch.idleMillis())
                    .incomplete()) {
                incomplete.add(touch.key());
            }
        }
        if (!application.joining()) {
            incomplete.forEach(key -> gaps.close(key, sender));
        }
    }

    /** A session pulled from another member. */
    void pulled(Update update) {
        metrics.count(Counter.SESSIONS_PULLED);
        mergePulled(update);
    }

    /** A session as another member, or this one at an earlier time, holds it. */
    void mergePulled(Update update) {
        application.progressed();
        observe(update.delta());
        afterMerge(update.delta(), application.store().pulled(update.delta(), update.ageMillis(), update.idleMillis()));
    }

    /** A change, of another member or of this one. */
    Merged merge(Update update) {
        observe(update.delta());
        return afterMerge(
                update.delta(), application.store().merge(update.delta(), update.ageMillis(), update.idleMillis()));
    }

    private void observe(SessionDelta delta) {
        if (delta.lastUse() != null) {
            clock.observe(delta.lastUse().time());
        }
    }

    private Merged afterMerge(SessionDelta delta, Merged merged) {
        if (delta.ended()) {
            expiry.settled(delta.key());
        }
        if (merged.conflicts() > 0) {
            metrics.count(Counter.STAMPS_SHARED, merged.conflicts());
        }
        SessionReplica replica = merged.after().replica();
        if (merged.refused()) {
            metrics.count(Counter.SESSIONS_REFUSED);
            boolean unused = threads.executeAsking("ending a session anew", () -> unions.endAnew(replica.key()));
        }
        Stamp lastUse = merged.yielded() ? replica.lastUse() : null;
        if (lastUse != null) {
            uses.repeat(replica.key(), lastUse, merged.after().usedAt());
        }
        if (merged.revived()) {
            gaps.revived(replica.key());
        }
        if (!merged.shared().isEmpty()) { // Without an iterator, as mostly.
            merged.shared().forEach(id -> {
                boolean unused = threads.executeAsking("uniting sessions", () -> unions.unite(id));
            });
        }
        return merged;
    }
}
