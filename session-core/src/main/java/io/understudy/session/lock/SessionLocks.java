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

/**
 * The locks of sessions, as requests take them.
 *
 * <p>Threads: any; they wait here, {@code lockTimeout} at most.
 */
public final class SessionLocks {

    private final ApplicationGroup group;
    private final ReplicationMetrics metrics;
    private final WaitLimit waits;
    private final LockConfig config;

    public SessionLocks(ApplicationGroup group, ReplicationMetrics metrics, WaitLimit waits, LockConfig config) {
        this.group = group;
        this.metrics = metrics;
        this.waits = waits;
        this.config = config;
    }

    /** The lock of the session with this id, as soon as no other request has it; without effect if no session has the id. */
    public SessionLock take(String id) {
        StoredReplica stored = group.store().header(id);
        if (stored == null) {
            return SessionLock.NONE;
        }
        SessionKey key = stored.replica().key();
        try (WaitLimit.Turn turn = waits.turn()) {
            return take(key, turn);
        }
    }

    private SessionLock take(SessionKey key, WaitLimit.Turn turn) {
        boolean again = true;
        while (again) {
            LockClaim claim = group.claimLock(key);
            boolean held = false;
            try {
                OptionalLong fence = claim.await(Duration.ZERO);
                if (fence.isEmpty() && turn.mayWait()) {
                    fence = claim.await(config.timeout());
                }
                // After a standstill the grant may be an old one: others have gone on, and given the lock away.
                if (fence.isPresent() && !group.suspended() && (group.ready() || turn.mayWait())) {
                    metrics.count(Counter.LOCKS_GRANTED);
                    group.catchUp(key);
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
            again = again && turn.mayWait() && group.awaitConfirmed();
        }
        metrics.count(Counter.LOCKS_TIMED_OUT);
        return SessionLock.late(config.onTimeout());
    }
}
