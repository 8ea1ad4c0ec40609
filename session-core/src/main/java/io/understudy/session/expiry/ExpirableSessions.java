package io.understudy.session.expiry;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.replica.TimeSource;
import io.understudy.store.Memory;
import io.understudy.store.StoredReplica;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Which sessions are this node's to end, before anybody is asked: those that nobody used for too long, and, where nothing
 * else makes room, those that are worth the least.
 *
 * <p>Threads: any.
 */
public final class ExpirableSessions {

    private static final Logger LOG = System.getLogger(ExpirableSessions.class.getName());

    /** How long, in milliseconds, a session is left alone at least: its client may just have got its id. */
    private static final long LEAST_MILLIS = 1000;

    private final ApplicationGroup group;
    private final Memory memory;
    private final TimeSource time;
    private final AtomicBoolean told = new AtomicBoolean();

    public ExpirableSessions(ApplicationGroup group, Memory memory, TimeSource time) {
        this.group = group;
        this.memory = memory;
        this.time = time;
    }

    /** Whether a session was idle for more than this share of the time after which it expires; no use of it. */
    public boolean idleBeyond(String id, double share) {
        StoredReplica stored = group.store().header(id);
        int seconds = stored == null ? 0 : stored.replica().maxInactiveSeconds();
        return stored != null && seconds > 0 && time.monotonicMillis() - stored.usedAt() > seconds * 1000L * share;
    }

    /** @param slackMillis how long the news of a use may be under way */
    Stream<StoredReplica> idle(long slackMillis) {
        long now = time.monotonicMillis();
        return group.store().stream()
                .filter(stored -> {
                    int seconds = stored.replica().maxInactiveSeconds();
                    return stored.replica().live()
                            && seconds > 0
                            && now - stored.usedAt() > seconds * 1000L + slackMillis;
                })
                .filter(stored -> group.ownedHere(stored.replica()));
    }

    /**
     * Sessions without attributes that no other node knows or is about to be told of, those used least recently: as many as
     * have to make room.
     */
    Stream<StoredReplica> surplus() {
        long excess = memory.excessSessions();
        if (excess == 0 || group.store().unsharedCount() == 0) {
            return Stream.empty();
        }
        if (told.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "{0} - sessions take more than maxMemory = {1} bytes although all attributes that can be are on "
                            + "disk: until they take less, new sessions without attributes stay on this node, and "
                            + "the least recently used of these end early",
                    group.label(),
                    memory.bound());
        }
        long before = time.monotonicMillis() - LEAST_MILLIS;
        return group.store().stream()
                .filter(stored -> stored.unshared()
                        && stored.usedAt() < before
                        && stored.replica().live()
                        && stored.replica().attributes().isEmpty()
                        && group.unshared(stored.replica().key()))
                .sorted(Comparator.comparingLong(StoredReplica::usedAt))
                .limit(excess);
    }
}
