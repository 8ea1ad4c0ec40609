package io.understudy.session.requests;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.replica.SessionKey;
import io.understudy.replica.TimeSource;
import io.understudy.store.StoredReplica;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Sessions whose attributes went to disk and can't be read from there: another member sends them.
 *
 * <p>Threads: any; the caller waits.
 */
public final class RefetchedSessions {

    /** How long a request waits for the other members. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    /** How long a request waits for them without a place among those that may: a member that is well answers sooner. */
    private static final Duration SOON = Duration.ofMillis(100);

    /** How long, in milliseconds, they are not asked again for a session that none of them sent. */
    private static final long ASK_AGAIN_MILLIS = 5000;

    /** The same if the request had no place. */
    private static final long ASK_SOON_AGAIN_MILLIS = 1000;

    /** How many such sessions are remembered. */
    private static final int MAX_REMEMBERED = 10_000;

    private final ApplicationGroup group;
    private final TimeSource time;
    private final WaitLimit waits;

    /** Before when a session is not asked for again. */
    private final Map<SessionKey, Long> askAgainAt = new ConcurrentHashMap<>();

    /** @param waits for requests that wait for a session after they were admitted */
    public RefetchedSessions(ApplicationGroup group, TimeSource time, WaitLimit waits) {
        this.group = group;
        this.time = time;
        this.waits = waits;
    }

    /**
     * Whether a request may look for a session: it can be read, or another member sent it, or all answered that they
     * have none.
     *
     * @param mayWait whether the request may wait for them
     */
    public boolean readable(String id, BooleanSupplier mayWait) {
        StoredReplica stored = group.store().header(id);
        if (stored == null || !stored.spilled()) {
            return true;
        }
        SessionKey key = stored.replica().key();
        return group.store().get(key) != null || (mayWait.getAsBoolean() && ask(key, id, LIMIT));
    }

    /**
     * Fetches a session that could not be read, for a request that uses it already. The members are not asked for each
     * attribute of it that a request reads. While {@code maxWaitingRequests} others wait, the request waits 100 ms at
     * most.
     */
    public boolean fetch(SessionKey key) {
        StoredReplica header = group.store().header(key);
        String id = header == null ? null : header.replica().id();
        Long again = askAgainAt.get(key);
        if (id == null || (again != null && time.monotonicMillis() < again)) {
            return false;
        }
        boolean placed;
        try (WaitLimit.Turn turn = waits.turn()) {
            placed = turn.mayWait();
            ask(key, id, placed ? LIMIT : SOON);
        }
        if (group.store().get(key) != null) {
            askAgainAt.remove(key);
            return true;
        }
        if (askAgainAt.size() >= MAX_REMEMBERED) {
            askAgainAt.clear();
        }
        askAgainAt.put(key, time.monotonicMillis() + (placed ? ASK_AGAIN_MILLIS : ASK_SOON_AGAIN_MILLIS));
        return false;
    }

    private boolean ask(SessionKey key, String id, Duration limit) {
        return group.catchUp(id, () -> !spilled(key), limit.toNanos());
    }

    private boolean spilled(SessionKey key) {
        StoredReplica header = group.store().header(key);
        return header != null && header.spilled();
    }
}
