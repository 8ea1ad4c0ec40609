package io.understudy.cluster.convergence;

import io.understudy.cluster.delivery.DeltaSize;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.TimeSource;
import io.understudy.store.ReplicaStore;
import io.understudy.store.StoredReplica;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.Buckets;
import io.understudy.wire.Frame.DigestRequest;
import io.understudy.wire.Frame.Digests;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Request;
import io.understudy.wire.Frame.StateRequest;
import io.understudy.wire.Frame.States;
import io.understudy.wire.Frame.Update;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** What a member answers to those who compare themselves with it. Threads: any; never waits. */
public final class ReconcileResponder {

    /** Bytes of sessions in one answer, unless the first alone is larger. */
    private static final int MAX_STATE_BYTES = 256 << 10;

    /** Digests in one answer: 128 KB. */
    static final int MAX_DIGESTS = 8192;

    private final ReplicaStore store;
    private final TimeSource time;

    public ReconcileResponder(ReplicaStore store, TimeSource time) {
        this.store = store;
        this.time = time;
    }

    public Frame to(Request request) {
        if (request instanceof BucketRequest buckets) {
            return new Buckets(buckets.request(), store.comparison().sums());
        }
        if (request instanceof DigestRequest digests) {
            List<SessionDigest> found = store.comparison().digests(digests.buckets(), digests.after(), MAX_DIGESTS + 1);
            boolean more = found.size() > MAX_DIGESTS;
            return new Digests(digests.request(), more ? found.subList(0, MAX_DIGESTS) : found, more);
        }
        if (request instanceof StateRequest states) {
            return states(states);
        }
        FindRequest find = (FindRequest) request;
        StoredReplica found = store.find(find.id());
        return new States(find.request(), found == null ? List.of() : List.of(update(found)), false);
    }

    private States states(StateRequest request) {
        List<Update> states = new ArrayList<>();
        int bytes = 0;
        boolean truncated = false;
        for (SessionKey key : new HashSet<>(request.keys())) {
            StoredReplica stored = store.whole(key);
            if (stored == null) {
                continue;
            }
            int size = DeltaSize.bytes(stored.replica().asDelta());
            if (!states.isEmpty() && bytes + size > MAX_STATE_BYTES) {
                truncated = true;
                break;
            }
            states.add(update(stored));
            bytes += size;
        }
        return new States(request.request(), states, truncated);
    }

    public Update update(StoredReplica stored) {
        long now = time.monotonicMillis();
        long since = stored.replica().live() ? stored.usedAt() : stored.endedAt();
        return new Update(
                Math.max(0, now - stored.createdAt()),
                Math.max(0, now - since),
                stored.replica().asDelta());
    }
}
