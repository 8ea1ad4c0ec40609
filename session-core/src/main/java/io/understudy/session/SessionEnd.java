package io.understudy.session;

import io.understudy.audit.AuditEvent;
import io.understudy.config.session.Coherence;
import io.understudy.expiry.Claim;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.session.replicas.LiveReplica;
import io.understudy.store.StoredReplica;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Ends one live session everywhere, after its listeners were told. A commit of it is degraded unless the other members know
 * of the end.
 *
 * <p>Threads: any.
 */
final class SessionEnd {

    private static final int TRIES = 3;

    private final SessionServices services;
    private final LiveReplica replica;
    private final SessionTimes times;
    private final SessionCommits commits;

    /** What a member that is gone wanted, which this one may know less of. */
    private volatile @Nullable Claim inherited;

    SessionEnd(SessionServices services, LiveReplica replica, SessionTimes times, SessionCommits commits) {
        this.services = services;
        this.replica = replica;
        this.times = times;
        this.commits = commits;
    }

    /** What the members vote on. */
    Claim claim(Claim.Kind kind) {
        SessionReplica known = replica.header();
        return new Claim(replica.key(), kind, known == null ? null : known.lastUse());
    }

    void inherit(Claim claim) {
        inherited = claim;
    }

    boolean inheritsInvalidation() {
        Claim claim = inherited;
        return claim != null && claim.kind() == Claim.Kind.INVALIDATION;
    }

    /**
     * Listeners were told: if something fails now, as there was no memory for it, the end is tried again. If the session is over
     * here when the last try fails, the request goes on, and the others learn of the end with the regular tasks.
     */
    Commit make(AuditEvent wanted, @Nullable Coherence override) {
        Commit commit = Commit.NOTHING;
        services.endsElsewhere().endsHere(replica.key());
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    commit = once(wanted, override);
                    return commit;
                } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
                    if (attempt == TRIES && replica.valid()) {
                        throw e;
                    } else if (attempt == TRIES) {
                        commit = services.outcomes().degraded();
                        return commit;
                    }
                }
            }
        } finally {
            finish(commit);
        }
    }

    /** @param tombstone on its way to the other members */
    private void finish(Commit tombstone) {
        CompletionStage<?> acknowledged = tombstone.decided();
        try {
            acknowledged = tombstone.outcome();
        } finally {
            services.endings()
                    .finish(
                            replica.key(),
                            acknowledged); // Also without memory for the time limit: the claim would stay.
        }
    }

    private Commit once(AuditEvent wanted, @Nullable Coherence override) {
        String unused = replica.id(); // Remembers it for those who ask afterwards.
        Stamp judged = wanted == AuditEvent.EXPIRED && !inheritsInvalidation() ? judgedUse() : null;
        SessionDelta tombstone =
                judged == null ? SessionDelta.invalidated(replica.key()) : SessionDelta.expired(replica.key(), judged);
        AuditEvent end = judged == null ? AuditEvent.INVALIDATED : AuditEvent.EXPIRED;
        return commits.inTurn(() -> ended(tombstone, end, override));
    }

    /** The last use that the expiry is about: this node's, or that of a member which is gone. */
    private @Nullable Stamp judgedUse() {
        Claim claim = inherited;
        StoredReplica stored = services.replicas().header(replica.key());
        Stamp here = stored == null ? null : stored.replica().lastUse();
        Stamp there = claim == null ? null : claim.lastUse();
        return there != null && (here == null || there.compareTo(here) > 0) ? there : here;
    }

    private Commit ended(SessionDelta tombstone, AuditEvent end, @Nullable Coherence override) {
        if (!replica.valid()) {
            return commits.alreadyEnded(override); // By another one, or by a try that failed afterwards.
        }
        boolean early = end == AuditEvent.EXPIRED && !times.overdueBy(0);
        // A commit beside this may be about to announce the session: that needs a tombstone.
        if (commits.byThisThread() && services.replicas().forget(replica.key(), end)) {
            services.metrics().count(Counter.SESSIONS_ENDED_FOR_ROOM, early ? 1 : 0);
            count(end);
            return Commit.NOTHING;
        }
        count(end); // First: if this throws, nobody takes the end for another one's.
        return commits.send(tombstone, override);
    }

    private void count(AuditEvent end) {
        services.metrics().count(end == AuditEvent.EXPIRED ? Counter.SESSIONS_EXPIRED : Counter.SESSIONS_INVALIDATED);
    }
}
