package io.understudy.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.understudy.replica.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Ids that no member has a session of, so that a client with a stale one costs no question. Threads: any. */
public final class UnknownIds {

    private static final int MAX_IDS = 10_000;

    /** Somebody may make one with such an id yet. */
    private static final Duration UNKNOWN = Duration.ofSeconds(5);

    private static final Duration OVER = Duration.ofMinutes(10);

    /** As long as a client bears a version cookie. */
    private static final Duration LOST = Duration.ofMinutes(1);

    private final Cache<String, Boolean> unknown;
    private final Cache<String, Boolean> over;
    private final Cache<String, Boolean> lost;

    UnknownIds(TimeSource time) {
        unknown = cache(time, UNKNOWN);
        over = cache(time, OVER);
        lost = cache(time, LOST);
    }

    private static Cache<String, Boolean> cache(TimeSource time, Duration remembered) {
        return Caffeine.newBuilder()
                .maximumSize(MAX_IDS)
                .expireAfterWrite(remembered)
                .executor(Runnable::run) // What it does is short, and a pool's threads would outlive the node.
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(time.monotonicMillis()))
                .build();
    }

    /** No member that was asked had a session with this id, or the changes that this version cookie names. */
    public void unknown(String id) {
        unknown.put(id, true);
    }

    /** All members answered, and none had the changes that this version cookie names within the time for that. */
    public void lost(String cookie) {
        lost.put(cookie, true);
    }

    /** Whether nobody need wait for the changes that this version cookie names. */
    public boolean isLost(String cookie) {
        return lost.getIfPresent(cookie) != null;
    }

    /** The sessions with these ids ended here, or this member learned of their end. */
    void over(Collection<String> ids) {
        ids.forEach(id -> over.put(id, true));
    }

    public boolean contains(String id) {
        return unknown.getIfPresent(id) != null || over.getIfPresent(id) != null;
    }
}
