package io.understudy.session.expiry;

import io.understudy.expiry.Claim;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import org.jspecify.annotations.Nullable;

/**
 * What the end of sessions asks of those in use on this node. Threads: any.
 *
 * @param <S> a session in use
 */
public interface EndableSessions<S> {

    /** The session in use that stands on this replica. */
    S of(StoredReplica stored);

    /** Forgets those that nobody holds any more. */
    void removeDropped();

    SessionKey key(S session);

    /** Whether it is neither invalidated nor expired, on any node as far as known here. */
    boolean valid(S session);

    /** Whether a request of this node uses it. */
    boolean inUse(S session);

    /** Whether a request that finds it now must treat it as expired. */
    boolean overdue(S session);

    /** Whether nobody has used it for its idle time, and so many milliseconds more. */
    boolean overdueBy(S session, long slackMillis);

    /** What the members vote on. */
    Claim claim(S session, Claim.Kind kind);

    /** Takes over the claim of a member that is gone. */
    void inherit(S session, Claim claim);

    /** Sets the replica that it had before its end, and has it stand on that. {@code null} takes it away again. */
    void last(S session, @Nullable StoredReplica replica);
}
