package io.understudy.tomcat;

import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The end of one session object. If several threads end the session at once, one of them calls the listeners.
 *
 * <p>Threads: any.
 */
final class ObjectEnd {

    private final UnderstudySession session;
    private final UnderstudyManager manager;
    private volatile boolean begun;

    ObjectEnd(UnderstudySession session, UnderstudyManager manager) {
        this.session = session;
        this.manager = manager;
    }

    /** Whether listeners were called, or are about to be. */
    boolean begun() {
        return begun;
    }

    private synchronized boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** Tells this node's listeners of the end on another one. There it is over for all applications of the host. */
    void elsewhere() {
        if (begin()) {
            try {
                session.callEndListeners(true);
            } finally {
                session.markEnded();
                manager.forget(session);
            }
        }
    }

    /**
     * Calls the listeners, and then ends the session everywhere.
     *
     * @param notify whether the listeners are called
     * @param begin decides whether this node calls them
     * @param how ends the session
     */
    void here(boolean notify, Predicate<LiveSession> begin, Function<LiveSession, Commit> how) {
        // Without a lock: of threads that ask at once one begins, and the others wait in begins, as far as they may.
        if (session.unended() && !begun && !begins(begin)) {
            return;
        }
        boolean first = session.unended() && begin();
        if (!first) {
            // A listener's own call returns at once, another thread's waits for the first.
            session.callEndListeners(notify);
            return;
        }
        String signOn = null;
        Commit ended = Commit.NOTHING;
        try {
            signOn = session.signOn();
            session.callEndListeners(notify);
        } finally {
            // After the listeners, which may read attributes; also if one of them threw.
            session.markEnded();
            try {
                ended = how.apply(session.live());
            } finally {
                manager.forget(session);
            }
        }
        RequestScope.await(ended, session);
        endSignOn(signOn);
    }

    private void endSignOn(@Nullable String signOn) {
        if (signOn != null) {
            UnderstudySingleSignOn.ended(signOn, session);
        }
    }

    /**
     * Whether its listeners are to be told here; if they are elsewhere it is over, but for an expiry that others
     * veto.
     */
    private boolean begins(Predicate<LiveSession> begin) {
        if (session.live().valid() && begin.test(session.live())) {
            return true;
        }
        if (!session.live().valid()) {
            session.markInvalid();
            manager.forget(session);
        }
        return false;
    }
}
