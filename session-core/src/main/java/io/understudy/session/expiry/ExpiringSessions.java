package io.understudy.session.expiry;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.replica.SessionKey;
import io.understudy.session.expiry.ExpiryScan.Due;
import io.understudy.store.StoredReplica;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that this node ends: idle for too long, without room for them, or left by a member that is gone.
 *
 * <p>Threads: any, unless a method restricts it.
 *
 * @param <S> a session in use
 */
public final class ExpiringSessions<S> implements AutoCloseable {

    private final ApplicationGroup group;
    private final ExpiryCoordinator<S> endings;
    private final ExpirableSessions due;
    private final EndableSessions<S> sessions;
    private final ExpiryThreads<S> threads;

    public ExpiringSessions(
            ApplicationGroup group, ExpiryCoordinator<S> endings, ExpirableSessions due, EndableSessions<S> sessions) {
        this.group = group;
        this.endings = endings;
        this.due = due;
        this.sessions = sessions;
        this.threads = new ExpiryThreads<>(group.label(), sessions, this::scan, this::scan, endings::awaitRoom);
    }

    /** The first batch of those that this node has to end now. One call at a time. */
    public List<S> expirable() {
        return scan().next();
    }

    /** Ends all of them, in threads of its own. Returns when all are over, or after about 3 seconds. */
    public void expire(Consumer<S> end) {
        threads.endAll(end);
    }

    /** Ends one that a request found overdue. Does not wait. */
    public void expireSoon(S session, Consumer<S> end) {
        threads.endSoon(sessions.key(session), end);
    }

    private ExpiryScan<S> scan() {
        sessions.removeDropped();
        long slackMillis = group.expiry().slackMillis();
        return endings.scan(
                () -> Stream.concat(
                        due.idle(slackMillis)
                                .map(sessions::of)
                                .map(session -> new Due<>(
                                        session,
                                        () -> sessions.overdueBy(session, slackMillis) && !sessions.inUse(session))),
                        due.surplus()
                                .map(sessions::of)
                                .map(session -> new Due<>(session, () -> !sessions.inUse(session)))),
                this::alive);
    }

    private ExpiryScan<S> scan(Set<SessionKey> found) {
        return endings.scan(
                () -> found.stream()
                        .map(this::alive)
                        .filter(Objects::nonNull)
                        .map(session -> new Due<>(session, () -> sessions.overdue(session))),
                this::alive);
    }

    private @Nullable S alive(SessionKey key) {
        StoredReplica stored = group.store().header(key);
        return stored == null || !stored.replica().live() ? null : sessions.of(stored);
    }

    /** Begins to end no session any more. */
    @Override
    public void close() {
        threads.close();
    }
}
