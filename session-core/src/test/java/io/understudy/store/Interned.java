package io.understudy.store;

import io.understudy.replica.SessionDelta;
import java.util.HashMap;
import java.util.Map;

/**
 * Equal states as one object, so that what follows from one is {@link Known} of all.
 *
 * <p>Threads: one per object.
 */
final class Interned {

    private static final int MOST = 30_000;

    private record Parts(SessionDelta state, long createdAt, long usedAt, long endedAt) {}

    private final Map<SessionDelta, SessionDelta> deltas = new HashMap<>();
    private final Map<Parts, StoredReplica> replicas = new HashMap<>();
    private final Map<StoredReplica, SessionDelta> states = new HashMap<>();

    SessionDelta one(SessionDelta delta) {
        if (deltas.size() > MOST) {
            deltas.clear();
        }
        SessionDelta known = deltas.putIfAbsent(delta, delta);
        return known == null ? delta : known;
    }

    StoredReplica one(StoredReplica stored) {
        if (replicas.size() > MOST) {
            replicas.clear();
        }
        Parts parts = new Parts(state(stored), stored.createdAt(), stored.usedAt(), stored.endedAt());
        StoredReplica known = replicas.putIfAbsent(parts, stored);
        return known == null ? stored : known;
    }

    /** All that a replica knows of its session. */
    SessionDelta state(StoredReplica stored) {
        SessionDelta known = states.get(stored);
        if (known != null) {
            return known;
        }
        if (states.size() > MOST) {
            states.clear();
        }
        SessionDelta state = one(stored.replica().asDelta());
        states.put(stored, state);
        return state;
    }
}
