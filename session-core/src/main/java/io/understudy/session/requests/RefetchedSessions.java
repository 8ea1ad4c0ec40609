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

    /** How long, in milliseconds, they are not asked again for a session that none of them sent. */
    private static final long ASK_AGAIN_MILLIS = 5000;

    /** How many such sessions are remembered. */
    private static final int MAX_REMEMBERED = 10_000;

    private final ApplicationGroup group;
    private final TimeSource time;
    private final Map<SessionKey, Long> failedAt = new ConcurrentHashMap<>();

    public RefetchedSessions(ApplicationGroup group, TimeSource time) {
        this.group = group;
        this.time = time;
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
        return group.store().get(key) != null || (mayWait.getAsBoolean() && ask(key, id));
    }

    /** Fetches a session that could not be read; the members are not asked for each attribute of it that a request reads. */
    public boolean fetch(SessionKey key) {
        StoredReplica header = group.store().header(key);
        String id = header == null ? null : header.replica().id();
        Long failed = failedAt.get(key);
        if (id == null || (failed != null && time.monotonicMillis() - failed < ASK_AGAIN_MILLIS)) {
            return false;
        }
        ask(key, id);
        if (group.store().get(key) != null) {
            failedAt.remove(key);
            return true;
        }
        if (failedAt.size() >= MAX_REMEMBERED) {
            failedAt.clear();
        }
        failedAt.put(key, time.monotonicMillis());
        return false;
    }

    private boolean ask(SessionKey key, String id) {
        return group.catchUp(id, () -> !spilled(key), LIMIT.toNanos());
    }

    private boolean spilled(SessionKey key) {
        StoredReplica header = group.store().header(key);
        return header != null && header.spilled();
    }
}
