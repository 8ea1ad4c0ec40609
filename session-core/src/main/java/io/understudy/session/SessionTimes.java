package io.understudy.session;

import io.understudy.replica.TimeSource;
import io.understudy.session.replicas.LiveReplica;
import io.understudy.session.replicas.SessionReplicas;
import io.understudy.session.tickets.RunningTickets;
import io.understudy.store.StoredReplica;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * When one live session began, when it was last used, and whether it is overdue.
 *
 * <p>Threads: any.
 */
final class SessionTimes {

    /**
     * An idle time that was set: another one of as many seconds is not the same.
     *
     * @param setter the ticket of the request; 0 if it is not known
     * @param former what it replaced before a commit sent that; {@code null} if nothing
     */
    record IdleTime(int seconds, long setter, @Nullable IdleTime former) {}

    private final TimeSource time;
    private final SessionReplicas replicas;
    private final LiveReplica replica;
    private final RunningTickets running;
    private final long creationMillis;
    private final AtomicReference<@Nullable IdleTime> newIdleTime = new AtomicReference<>();

    /**
     * @param age since when the session is there, in milliseconds
     */
    SessionTimes(TimeSource time, SessionReplicas replicas, LiveReplica replica, RunningTickets running, long age) {
        this.time = time;
        this.replicas = replicas;
        this.replica = replica;
        this.running = running;
        this.creationMillis = time.wallMillis() - age;
    }

    /** The idle time that is not committed yet; {@code null} if there is none. */
    @Nullable
    IdleTime newIdleTime() {
        return newIdleTime.get();
    }

    private @Nullable Integer newMaxInactiveSeconds() {
        IdleTime set = newIdleTime.get();
        return set == null ? null : set.seconds();
    }

    void maxInactiveSeconds(int seconds, long setter) {
        newIdleTime.updateAndGet(former -> {
            boolean same = former != null && former.setter() == setter;
            return new IdleTime(seconds, setter, same ? former.former() : former);
        });
    }

    /** It is merged here. What was set since is left. */
    void committed(@Nullable IdleTime time) {
        newIdleTime.compareAndSet(time, null);
    }

    long creationMillis() {
        return creationMillis;
    }

    long lastUseMillis() {
        StoredReplica stored = replica.stored();
        boolean once = stored != null && stored.usedAt() == stored.createdAt();
        return once ? creationMillis : time.wallMillis() - idleMillis(stored); // Two clocks, each rounded.
    }

    long idleMillis() {
        return idleMillis(replica.stored());
    }

    private long idleMillis(@Nullable StoredReplica stored) {
        return stored == null ? 0 : Math.max(0, time.monotonicMillis() - stored.usedAt());
    }

    int maxInactiveSeconds() {
        Integer staged = newMaxInactiveSeconds(); // First: once it is committed, the replica has it.
        return maxInactiveSeconds(staged, staged == null ? replica.stored() : null);
    }

    private static int maxInactiveSeconds(@Nullable Integer staged, @Nullable StoredReplica stored) {
        return staged != null ? staged : stored == null ? 0 : stored.replica().maxInactiveSeconds();
    }

    /** See {@link LiveSession#overdue}. */
    boolean overdue() {
        Integer staged = newMaxInactiveSeconds(); // First, as above.
        StoredReplica stored = replicas.header(replica.key());
        return stored != null && overdue(staged, stored);
    }

    /**
     * The same of a replica that was looked up just now. If the limit was raised meanwhile, it may be true of a session
     * that is not overdue any more.
     */
    boolean overdue(StoredReplica stored) {
        return overdue(newMaxInactiveSeconds(), stored);
    }

    private boolean overdue(@Nullable Integer staged, StoredReplica stored) {
        return running.isEmpty()
                && overdueBy(replicas.usedHere(stored.replica()) ? 0 : replicas.slackMillis(), staged, stored);
    }

    boolean overdueBy(long slackMillis) {
        Integer staged = newMaxInactiveSeconds();
        return overdueBy(slackMillis, staged, replicas.header(replica.key()));
    }

    private boolean overdueBy(long slackMillis, @Nullable Integer staged, @Nullable StoredReplica stored) {
        int seconds = maxInactiveSeconds(staged, stored);
        return seconds > 0 && idleMillis(stored) > seconds * 1000L + slackMillis;
    }
}
