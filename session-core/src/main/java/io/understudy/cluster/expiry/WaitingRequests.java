package io.understudy.cluster.expiry;

import io.understudy.replica.SessionKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests that have arrived for sessions that are about to expire, and have not used them yet. Times are milliseconds of the
 * monotonic clock.
 *
 * <p>Threads: any.
 */
final class WaitingRequests {

    /** How long a request that has arrived may take to use its session. */
    private static final long LIMIT_MILLIS = 3000;

    private final Map<SessionKey, Long> arrivals = new ConcurrentHashMap<>();

    void note(SessionKey key, long now) {
        arrivals.put(key, now);
    }

    /**
     * Whether one that arrived after the last use, and in time, may still use the session.
     *
     * @param end after which no request may use it
     */
    boolean since(SessionKey key, long usedAt, long end, long now) {
        Long arrived = arrivals.get(key);
        return arrived != null && arrived > usedAt && arrived <= end && now - arrived <= LIMIT_MILLIS;
    }

    /** To be called now and then. */
    void forget(long now) {
        arrivals.values().removeIf(arrived -> now - arrived > LIMIT_MILLIS);
    }
}
