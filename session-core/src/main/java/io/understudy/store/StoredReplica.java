package io.understudy.store;

import io.understudy.replica.SessionReplica;

/**
 * A replica with the times that hold on this node only. All times are monotonic milliseconds of this process.
 *
 * @param replica the session's state
 * @param createdAt when the session began
 * @param usedAt when a request, on any node, last used it
 * @param endedAt when this node learned that it is over; before that, when it learned of it
 */
public record StoredReplica(SessionReplica replica, long createdAt, long usedAt, long endedAt) {

    /** The latest of all these times: when it changed last, as far as they tell. */
    long changedAt() {
        return Math.max(usedAt, replica.ended() ? endedAt : createdAt);
    }
}
