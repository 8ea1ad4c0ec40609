package io.understudy.cluster.expiry;

import io.understudy.replica.HybridClock;
import io.understudy.store.StoredReplica;

/**
 * Until when requests on this member may use a session. Times are milliseconds of the monotonic clock.
 *
 * <p>Threads: any.
 */
final class IdleTimes {

    /** From how long before its time a session's arriving requests are noted: longer than they take. */
    private static final long NEARLY_DUE_MILLIS = 5000;

    private final HybridClock clock;
    private final long slackMillis;

    /** @param slackMillis how long the news of a use elsewhere may be under way */
    IdleTimes(HybridClock clock, long slackMillis) {
        this.clock = clock;
        this.slackMillis = slackMillis;
    }

    long slackMillis() {
        return slackMillis;
    }

    /** After this time no request may use it; {@link Long#MAX_VALUE} if it does not expire. */
    long end(StoredReplica stored) {
        boolean usedHere = stored.replica().usedBy(clock.origin());
        long end = interval(stored);
        return end == Long.MAX_VALUE || usedHere ? end : end + slackMillis;
    }

    /** Whether others may soon want to end it, or do. */
    boolean nearlyOver(StoredReplica stored, long now) {
        return now > interval(stored) - NEARLY_DUE_MILLIS;
    }

    private static long interval(StoredReplica stored) {
        int seconds = stored.replica().maxInactiveSeconds();
        return seconds <= 0 ? Long.MAX_VALUE : stored.usedAt() + seconds * 1000L;
    }
}
