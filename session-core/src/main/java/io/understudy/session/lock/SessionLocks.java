package io.understudy.session.lock;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.locking.LockClaim;
import io.understudy.config.session.LockConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.session.requests.WaitLimit;
import io.understudy.store.StoredReplica;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks of sessions, as requests take them.
 *
 * <p>Threads: any; they wait here, {@code lockTimeout} at most.
 */
public final class SessionLocks {

    /**
     * How long a request waits without a place, if no other request of this node has the lock or waits for it. A lock
     * that is free is granted within a round trip: the places are for locks that others hold.
     */
    private static final Duration SOON = Duration.ofMillis(100);

    private final ApplicationGroup group;
    private final ReplicationMetrics metrics;
    private final WaitLimit waits;

    private final LockConfig config;
    private final Consumer<SessionKey> taken;

    /** @param taken called when a request has got the lock of a session, before it goes on */
    public SessionLocks(
            ApplicationGroup group,
            ReplicationMetrics metrics,
            WaitLimit waits,
            LockConfig config,
            Consumer<SessionKey> taken) {
        this.group = group;
        this.metrics = metrics;
        this.waits = waits;
        this.config = config;
        this.taken = taken;
    }

    /**
     * The lock of the session with this id, as soon as no other request has it; without effect if no session has the
     * id.
     */
    public SessionLock take(String id) {
        SessionKey key = holder(id);
        while (key != null) {
            SessionLock lock;
            try (WaitLimit.Turn turn = waits.turn()) {
                lock = take(key, turn);
            }
            SessionKey now = null;
            boolean kept = false;
            try {
                now = holder(id);
                kept = key.equals(now);
            } finally {
                if (!kept) {
                    lock.close(); // A login has replaced the id meanwhile, or it can't be told whose the session is.
                }
            }
            if (kept) {
                return lock;
            }
            key = now;
        }
        return SessionLock.NONE;
    }

    private @Nullable SessionKey holder(String id) {
        StoredReplica stored = group.store().header(id);
        return stored == null ? null : stored.replica().key();
    }

    private SessionLock take(SessionKey key, WaitLimit.Turn turn) {
        boolean again = true;
        while (again) {
            LockClaim claim = group.claimLock(key);
            boolean held = false;
            try {
                OptionalLong fence = claim.await(Duration.ZERO);
                if (fence.isEmpty() && group.isOnlyClaim(claim)) {
                    fence = claim.await(SOON);
                }
                if (fence.isEmpty() && turn.mayWait()) {
                    fence = claim.await(config.timeout());
                }
                // After a standstill the grant may be an old one: others have gone on, and given the lock away.
                if (fence.isPresent() && !group.suspended() && (group.ready() || turn.mayWait())) {
                    metrics.count(Counter.LOCKS_GRANTED);
                    group.catchUp(key);
                    taken.accept(key);
                    SessionLock lock = SessionLock.held(fence.getAsLong(), () -> group.releaseLock(key, claim));
                    held = true;
                    return lock;
                }
                again = fence.isPresent();
            } finally {
                if (!held) {
                    group.releaseLock(key, claim);
                }
            }
            again = again && turn.mayWait() && group.awaitConfirmed(turn::mayWait);
        }
        metrics.count(Counter.LOCKS_TIMED_OUT);
        return SessionLock.late(config.onTimeout());
    }
}
