package io.understudy.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.config.session.Coherence;
import org.jspecify.annotations.Nullable;

/**
 * One request's use of a session. It is made, and kept where the end of the request finds it, before it begins: then no
 * failure in between leaves a use that never ends. Its end needs no memory to take effect.
 *
 * <p>Threads: any.
 */
public final class SessionUse {

    private final LiveSession session;
    private final long ticket;

    @GuardedBy("this")
    private boolean begun;

    @GuardedBy("this")
    private boolean over;

    SessionUse(LiveSession session, long ticket) {
        this.session = session;
        this.ticket = ticket;
    }

    public LiveSession session() {
        return session;
    }

    /** As {@link LiveSession#enter} would give it; 0 before the use begins, and after its end. */
    public synchronized long ticket() {
        return begun && !over ? ticket : 0;
    }

    /** The request begins to use the session. Only the first call counts, and none after the {@link #end}. If it fails nothing has begun. */
    public synchronized void begin() {
        if (!begun && !over) {
            session.enter(ticket);
            begun = true;
        }
    }

    /**
     * Sends what changed in the session, as {@link LiveSession#commit(Coherence)} does. The outcome is no better than those
     * of other requests' commits that have sent changes of this request.
     *
     * @param override the coherence of this request; {@code null} if it has none of its own
     */
    public Commit commit(@Nullable Coherence override) {
        return session.commits().publish(null, override, ticket(), false);
    }

    /** See {@link LiveSession#responseReady}. */
    public void responseReady() {
        session.responseReady(ticket);
    }

    /** What was read by this use until now is replaced, when it is read again, by what is newer. */
    public void readAnew() {
        session.readAnew(ticket);
    }

    /** The request ends, after its last commit. Only the first call counts; also if it fails, the session is used no more. */
    public void end() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            if (!begun) {
                return;
            }
        }
        session.exit(ticket);
    }
}
