package io.understudy.session.replicas;

import io.understudy.audit.AuditEvent;
import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.delivery.PendingAck;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Acks;
import io.understudy.config.session.Coherence;
import io.understudy.config.session.EmptySessions;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import io.understudy.store.Memory;
import io.understudy.store.StoredReplica;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of one application's sessions, as its live sessions read and change them.
 *
 * <p>Threads: any; none waits for another member.
 */
public final class SessionReplicas {

    private final UnderstudyConfig config;
    private final ApplicationGroup group;
    private final Memory memory;
    private final Predicate<@Nullable Coherence> awaited;
    private final TimeSource time;
    private final long origin;

    /**
     * @param memory what the replicas of all applications take
     * @param awaited whether a commit is awaited whose request has this coherence of its own, or none
     * @param origin by which this node's writes are known
     */
    public SessionReplicas(
            UnderstudyConfig config,
            ApplicationGroup group,
            Memory memory,
            Predicate<@Nullable Coherence> awaited,
            TimeSource time,
            long origin) {
        this.config = config;
        this.group = group;
        this.memory = memory;
        this.awaited = awaited;
        this.time = time;
        this.origin = origin;
    }

    /** How long, in milliseconds, the news of a use may be under way. */
    public long slackMillis() {
        return group.expiry().slackMillis();
    }

    public boolean usedHere(SessionReplica replica) {
        return replica.usedBy(origin);
    }

    /** Whether the last use is one of this node in this very millisecond: another one is no news. */
    public boolean usedHereNow(StoredReplica stored) {
        return stored.usedAt() == time.monotonicMillis() && usedHere(stored.replica());
    }

    /** With the attributes; a use of it. {@code null} if it can't be read from disk, or nothing is known of it. */
    public @Nullable StoredReplica stored(SessionKey key) {
        return group.store().get(key);
    }

    /** The same; no use of it, unless it is read back from disk, to stay. */
    public @Nullable StoredReplica whole(SessionKey key) {
        StoredReplica stored = group.store().header(key);
        return stored == null || !stored.spilled() ? stored : group.store().get(key);
    }

    /** The same without the attributes, if they are on disk; no use of it. */
    public @Nullable StoredReplica header(SessionKey key) {
        return group.store().header(key);
    }

    public boolean holds(SessionDelta delta) {
        return group.store().holds(delta);
    }

    public void touch(SessionKey key, Stamp lastUse) {
        group.touch(key, lastUse);
    }

    /**
     * Keeps on this node what a request did to a session that was never announced and has no attributes, or announces
     * it with others.
     *
     * @return {@code false} if it has to go out at once
     */
    public boolean keep(SessionDelta delta, @Nullable Coherence override) {
        EmptySessions how = config.memory().emptySessions();
        boolean tight = memory.nearLimit();
        if (how == EmptySessions.REPLICATE || (how == EmptySessions.ANNOUNCE && !tight && awaited.test(override))) {
            return false;
        }
        group.keep(delta, how == EmptySessions.ANNOUNCE && !tight);
        return true;
    }

    /** Ends a session that was never announced; {@code false} if it was. */
    public boolean forget(SessionKey key, AuditEvent end) {
        return group.forget(key, end);
    }

    /**
     * A change that is about to be sent. One of the id asks for all acknowledgements, whatever the setting: the id
     * that a login replaced must find nothing on any member.
     *
     * @param stored the session as it was before; {@code null} if nothing was known of it
     */
    public PendingAck prepare(SessionDelta delta, @Nullable StoredReplica stored) {
        long age = stored == null ? 0 : Math.max(0, time.monotonicMillis() - stored.createdAt());
        return group.prepare(
                delta, age, delta.renamed() ? Acks.ALL : config.application().acks());
    }
}
