package io.understudy.testkit;

import io.understudy.Commit;
import io.understudy.Commit.Outcome;
import io.understudy.LiveSession;
import io.understudy.ReplicatedSessions;

/** What a container does for a request that uses a session. */
public final class SessionRequest {

    private SessionRequest() {}

    /** The session, which has to be there. */
    public static LiveSession find(ReplicatedSessions sessions, String id) {
        LiveSession session = sessions.find(id);
        if (session == null) {
            throw new AssertionError("no session " + id);
        }
        return session;
    }

    /** A request that does not wait for its commit. */
    public static Commit send(LiveSession session, Runnable work) {
        long ticket = session.enter();
        try {
            work.run();
            return session.commit();
        } finally {
            session.exit(ticket);
        }
    }

    /** A request that ends when its commit is decided. */
    public static Outcome use(LiveSession session, Runnable work) {
        long ticket = session.enter();
        try {
            work.run();
            return session.commit().await();
        } finally {
            session.exit(ticket);
        }
    }

    /** The same, to set one attribute. */
    public static Outcome put(LiveSession session, String name, Object value) {
        return use(session, () -> session.attributes().put(name, value));
    }
}
