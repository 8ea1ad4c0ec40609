package io.understudy.tomcat;

import io.understudy.session.SessionUse;

/**
 * Tomcat's accesses to one session object, and what each begins and ends.
 *
 * <p>Threads: any. Nothing here fails: Tomcat ends each access that it tried to begin, and ends it again if the end
 * fails.
 */
final class ObjectAccesses {

    private final UnderstudySession session;
    private final UnderstudyManager manager;
    private final SessionUses uses;
    private final ObjectCommits commits;

    ObjectAccesses(UnderstudySession session, UnderstudyManager manager, SessionUses uses, ObjectCommits commits) {
        this.session = session;
        this.manager = manager;
        this.uses = uses;
        this.commits = commits;
    }

    void begin() {
        uses.begin();
        commits.unsettle();
        RequestScope scope;
        try {
            scope = RequestScope.current();
        } catch (Throwable e) {
            uses.overBefore(1); // Its end is not to end another thread's use.
            manager.survived("finding the request that begins to use a session", e);
            return;
        }
        if (scope == null || !scope.access(session)) {
            beginEarly();
        }
    }

    private void beginEarly() {
        try {
            uses.beginEarly(session.live());
        } catch (Throwable e) {
            manager.survived("starting a use of a session", e);
        }
    }

    void end() {
        if (!endOfDispatch()) {
            endOutside();
        }
    }

    /** Tomcat ends the access of a dispatch while the request goes on, whose end does the rest. */
    private boolean endOfDispatch() {
        try {
            RequestScope scope = RequestScope.current();
            return scope != null && scope.accessEnds(session);
        } catch (Throwable e) {
            manager.survived("ending an access of a dispatch", e);
            return false;
        }
    }

    /** The request is over, or has no scope. */
    private void endOutside() {
        try {
            commits.accessEnds(uses, uses.own() != null);
        } catch (Throwable e) {
            manager.survived("sending the last changes of a request", e);
        }
        try {
            SessionUse use = uses.endOfAccess();
            if (use != null) {
                use.end();
            }
        } catch (Throwable e) {
            manager.survived("ending a use of a session; the use counts as ended", e);
        }
    }
}
