package io.understudy.cluster.expiry;

import io.understudy.cluster.membership.LocalApplication;
import io.understudy.expiry.SessionStatus;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * What this member knows of the uses of an application's sessions. Its votes on their end depend on that.
 *
 * <p>Threads: any; none waits.
 */
final class KnownUses {

    private final LocalApplication application;
    private final IdleTimes idleTimes;
    private final Predicate<SessionKey> claimed;

    /** What this node's contexts of the application know of sessions in use. */
    private final List<Predicate<SessionKey>> users = new CopyOnWriteArrayList<>();

    private final WaitingRequests arrivals = new WaitingRequests();

    /** @param claimed whether a member may be about to end a session */
    KnownUses(LocalApplication application, IdleTimes idleTimes, Predicate<SessionKey> claimed) {
        this.application = application;
        this.idleTimes = idleTimes;
        this.claimed = claimed;
    }

    /** Asks {@code user}, too, whether a request here uses a session. */
    void add(Predicate<SessionKey> user) {
        users.add(user);
    }

    void remove(Predicate<SessionKey> user) {
        users.remove(user);
    }

    /** Whether a request of this node uses the session. */
    boolean inUse(SessionKey key) {
        return users.stream().anyMatch(user -> user.test(key));
    }

    /** How long, in milliseconds, the news of a use may be under way. */
    long slackMillis() {
        return idleTimes.slackMillis();
    }

    /** Notes that a request for the session arrives, if others may want to end it. */
    void arrives(StoredReplica stored) {
        SessionKey key = stored.replica().key();
        long now = application.now();
        if (idleTimes.nearlyOver(stored, now) || claimed.test(key)) {
            arrivals.note(key, now);
        }
    }

    /** Whether no request here may use the session any more. */
    boolean overdue(SessionKey key) {
        StoredReplica stored = application.store().header(key);
        return stored != null && application.now() > idleTimes.end(stored) && !inUse(key);
    }

    /** Asked by the rules after a promise was noted. */
    SessionStatus status(SessionKey key) {
        StoredReplica stored = application.store().header(key);
        boolean inUse = inUse(key);
        if (stored == null) {
            return new SessionStatus(null, null, 0, inUse, false);
        }
        long now = application.now();
        boolean arriving = arrivals.since(key, stored.usedAt(), idleTimes.end(stored), now);
        return new SessionStatus(
                stored.replica().ending(),
                stored.replica().lastUse(),
                Math.max(0, now - stored.usedAt()),
                inUse || arriving,
                stored.unshared());
    }

    /** To be called now and then. */
    void forget() {
        arrivals.forget(application.now());
    }
}
