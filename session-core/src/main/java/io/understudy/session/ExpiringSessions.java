package io.understudy.session;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.replica.SessionKey;
import io.understudy.session.ExpiryScan.Due;
import io.understudy.store.StoredReplica;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that this node ends: idle for too long, without room for them, or left by a member that is gone.
 *
 * <p>Threads: any, unless said otherwise.
 */
final class ExpiringSessions implements AutoCloseable {

    private final ApplicationGroup group;
    private final Endings endings;
    private final DueSessions due;
    private final LiveSessions live;
    private final Function<StoredReplica, LiveSession> liveOf;
    private final ExpiryThreads threads;

    /** @param liveOf adds a session to those that are live */
    ExpiringSessions(
            ApplicationGroup group,
            Endings endings,
            DueSessions due,
            LiveSessions live,
            Function<StoredReplica, LiveSession> liveOf) {
        this.group = group;
        this.endings = endings;
        this.due = due;
        this.live = live;
        this.liveOf = liveOf;
        this.threads = new ExpiryThreads(group.label(), this::scan, this::scan, endings::awaitRoom);
    }

    /** The first batch of those that are to be ended now. One call at a time. */
    List<LiveSession> expirable() {
        return scan().next();
    }

    /** Ends all of them; see {@link ReplicatedSessions#expire}. */
    void expire(Consumer<LiveSession> end) {
        threads.endAll(end);
    }

    /** Ends one that a request found overdue. Does not wait. */
    void expireSoon(LiveSession session, Consumer<LiveSession> end) {
        threads.endSoon(session.key(), end);
    }

    private ExpiryScan scan() {
        live.removeDropped();
        long slackMillis = group.expiry().slackMillis();
        return endings.scan(
                () -> Stream.concat(
                        due.idle(slackMillis)
                                .map(liveOf)
                                .map(session ->
                                        new Due(session, () -> session.overdueBy(slackMillis) && !session.inUse())),
                        due.surplus().map(liveOf).map(session -> new Due(session, () -> !session.inUse()))),
                this::alive);
    }

    private ExpiryScan scan(Set<SessionKey> found) {
        return endings.scan(
                () -> found.stream()
                        .map(this::alive)
                        .filter(Objects::nonNull)
                        .map(session -> new Due(session, session::overdue)),
                this::alive);
    }

    private @Nullable LiveSession alive(SessionKey key) {
        StoredReplica stored = group.store().header(key);
        return stored == null || !stored.replica().live() ? null : liveOf.apply(stored);
    }

    /** Begins to end no session any more. */
    @Override
    public void close() {
        threads.close();
    }
}
