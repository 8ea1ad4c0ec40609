package io.understudy.cluster.expiry;

import io.understudy.audit.AuditEvent;
import io.understudy.audit.AuditRing;
import io.understudy.cluster.membership.Members;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.TimeSource;
import io.understudy.store.Merged;
import io.understudy.store.ReplicaStore;
import io.understudy.store.StoredReplica;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Notes how one application's sessions ended.
 *
 * <p>Threads: any.
 */
public final class ExpiryAudit {

    private final AuditRing ring = new AuditRing();
    private final ReplicaStore store;
    private final Members members;
    private final TimeSource time;

    public ExpiryAudit(ReplicaStore store, Members members, TimeSource time) {
        this.store = store;
        this.members = members;
        this.time = time;
    }

    AuditRing ring() {
        return ring;
    }

    /** A change was merged here that {@code member} made. */
    public void merged(Merged merged, Address member) {
        if (merged.endedNow()) {
            SessionReplica after = merged.after().replica();
            String id =
                    merged.before() == null ? null : merged.before().replica().id();
            note(id, after.key(), after.invalidated() ? AuditEvent.INVALIDATED : AuditEvent.EXPIRED, member);
        }
    }

    /** A session ended here that was never announced. */
    public void forgotten(SessionReplica replica, AuditEvent end) {
        note(replica.id(), replica.key(), end, members.self());
    }

    /** Something happened to a session, by the doing of {@code member}. */
    void note(SessionKey key, AuditEvent what, Address member) {
        StoredReplica stored = store.header(key);
        note(stored == null ? null : stored.replica().id(), key, what, member);
    }

    private void note(@Nullable String id, SessionKey key, AuditEvent what, Address member) {
        ring.add(time.wallMillis(), id, key, what, member.toString());
    }
}
