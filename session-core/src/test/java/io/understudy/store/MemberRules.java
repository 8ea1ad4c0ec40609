package io.understudy.store;

import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.WriteTimes;

/** The product's rules as the explored members follow them. A test that breaks one overrides it. */
class MemberRules {

    static final MemberRules PRODUCT = new MemberRules();

    Stamp stampOfWrite(HybridClock clock, SessionReplica replica, String attribute) {
        return clock.next(WriteTimes.of(replica, attribute));
    }

    Merged merge(ReplicaStore store, SessionDelta delta, long ageMillis, long idleMillis) {
        return store.merge(delta, ageMillis, idleMillis);
    }

    Merged pulled(ReplicaStore store, SessionDelta delta, long ageMillis, long idleMillis) {
        return store.pulled(delta, ageMillis, idleMillis);
    }

    Merged use(ReplicaStore store, SessionKey key, Stamp lastUse) {
        return store.use(key, lastUse, 0);
    }

    /** Whether a member that a use brings a session back to asks all others for what they hold of it. */
    boolean asksAll(Merged merged) {
        return merged.revived();
    }

    /** Whether a delta that the replica holds already may be taken for delivered: only if the merge is the product's. */
    final boolean product() {
        return this == PRODUCT;
    }

    /** A write stamped by the clock alone. */
    static StampedBytes write(Stamp stamp) {
        return StampedBytes.of(stamp, new byte[] {1});
    }
}
