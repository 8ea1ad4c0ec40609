package io.understudy.tomcat;

import io.understudy.config.session.Coherence;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.SessionUse;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one session object, and whether there is anything for another one.
 *
 * <p>Threads: any.
 */
final class ObjectCommits {

    private final UnderstudySession session;
    private final UnderstudyManager manager;

    /**
     * Whether nothing was read or written since the last commit, so that the end of the request need not look again.
     * Cleared before each access and set before each commit: a race leaves it cleared, which costs a look. It tells
     * nothing of objects that were read before, and that a request may go on changing in place.
     */
    private volatile boolean settled;

    ObjectCommits(UnderstudySession session, UnderstudyManager manager) {
        this.session = session;
        this.manager = manager;
    }

    /** Whoever may still change it after the scope settled, such as an asynchronous request, calls for another look. */
    void unsettle() {
        settled = false;
    }

    /** @param override the coherence that the request wants; {@code null} if none, or there is no request */
    Commit commit(@Nullable Coherence override) {
        return commit(override, null);
    }

    /** @param use that of the request; {@code null} if it has none */
    Commit commit(@Nullable Coherence override, @Nullable SessionUse use) {
        return commit(override, false, use);
    }

    /** @param use that of the request; {@code null} if it has none, or has ended */
    private Commit commit(@Nullable Coherence override, boolean afterResponse, @Nullable SessionUse use) {
        boolean looked = settled;
        settled = true;
        boolean committed = false;
        try {
            Commit commit = Commit.NOTHING;
            if (!session.over() && manager.replicates(session)) {
                commit = commit(session.live(), override, afterResponse, use);
            } else if (!session.over() && (!looked || session.inUse())) {
                // The application was stopped, and the request went on. It may have changed an object in place.
                commit = session.live().notSent(override);
            }
            committed = true;
            return commit;
        } finally {
            if (!committed) {
                settled = false;
            }
        }
    }

    private static Commit commit(
            LiveSession live, @Nullable Coherence override, boolean afterResponse, @Nullable SessionUse use) {
        if (afterResponse) {
            return live.commitAfterResponse(use);
        }
        return use == null || use.session() != live ? live.commit(override) : use.commit(override);
    }

    /** Sends what a request that is still running changed so far: the last time this node can. Awaited in any mode. */
    Commit handOver() {
        boolean nothing = settled && !session.live().objects().changing();
        return nothing ? Commit.NOTHING : last(Coherence.COHERENT, false, null);
    }

    /**
     * An access ends. Does not fail.
     *
     * @param awaited whether the response waits for what the access changed
     */
    void accessEnds(SessionUses uses, boolean awaited) {
        if (awaited) {
            last(session.coherence(), false, null).await();
        } else if (!settled) {
            Commit unused = last(Coherence.INCOHERENT, true, uses.ending());
        }
    }

    /**
     * Sends what a request changed after its response. Nobody waits for it. Does not fail.
     *
     * @param use that of the request; {@code null} if it is not known
     */
    void afterResponse(@Nullable SessionUse use) {
        Commit unused = last(Coherence.INCOHERENT, use != null, use);
    }

    /** Does not fail: what uses the session, and the application's other sessions, have to end theirs. */
    private Commit last(@Nullable Coherence override, boolean afterResponse, @Nullable SessionUse use) {
        try {
            return commit(override, afterResponse, use);
        } catch (Throwable e) {
            manager.survived("sending the last changes of a session", e);
            return Commit.NOTHING;
        }
    }
}
